import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file of capped size. Writes at once, so that nothing queues in memory; a disk that fails ends the log, not the call. */
export class OutputLog {
  readonly file: string;
  #left: number;
  #fd: number | undefined;
  #written = false;

  constructor(file: string, capBytes: number) {
    this.file = file;
    this.#left = capBytes;
    try {
      mkdirSync(dirname(file), { recursive: true });
      this.#fd = openSync(file, 'w', 0o600);
      this.#written = true;
    } catch {
      // Told by `written`.
    }
  }

  /** False when the file could not be made. */
  get written(): boolean {
    return this.#written;
  }

  /** True while there is room. */
  get isOpen(): boolean {
    return this.#fd !== undefined && this.#left > 0;
  }

  write(chunk: Uint8Array): void {
    if (this.#fd === undefined || this.#left <= 0) return;
    const part = chunk.subarray(0, this.#left);
    this.#left -= part.length;
    try {
      writeWhole(this.#fd, part);
      if (this.#left === 0)
        writeWhole(this.#fd, Buffer.from('\n… the log ends here: its cap is reached …\n'));
    } catch {
      this.close();
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

function writeWhole(fd: number, bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(fd, bytes, at);
}
