import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { OutputLog } from './output-log.ts';
import { OutputRing } from './output-ring.ts';

export type StreamName = 'stdout' | 'stderr';

/** Changes bytes on their way; what it holds back comes at the end. */
export interface LogFilter {
  push(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

export interface CaptureOptions {
  readonly keepBytes?: number;
  readonly logFile?: string;
  readonly logBytes?: number;
  readonly logFilter?: () => LogFilter;
  readonly onOutput?: (text: string, stream: StreamName) => void;
}

const KEEP_BYTES = 256 * 1024;
const LOG_BYTES = 64 * 1024 * 1024;
const READ_BYTES = 64 * 1024;

/** Reads the two streams of a process into bounded memory, and into a log once that is not enough. */
export class Capture {
  readonly #options: CaptureOptions;
  readonly #rings: Record<StreamName | 'output', OutputRing>;
  readonly #streams: Readable[] = [];
  readonly #closed: Promise<void>[] = [];
  #log: OutputLog | undefined;
  #filter: LogFilter | undefined;
  /** Called whenever bytes arrive. */
  onActivity: () => void = () => {};

  constructor(options: CaptureOptions) {
    const keep = options.keepBytes ?? KEEP_BYTES;
    this.#options = options;
    this.#rings = {
      stdout: new OutputRing(keep),
      stderr: new OutputRing(keep),
      output: new OutputRing(keep),
    };
  }

  /** Reads the read end of a pipe, through one buffer that is used again and again. */
  readPipe(fd: number, name: StreamName): void {
    let take: (chunk: Uint8Array) => void = () => {};
    const callback = (length: number, buffer: Uint8Array): boolean => {
      take(buffer.subarray(0, length));
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback };
    // The types know `onread` only for connections; the constructor takes it as well.
    const options = { fd, readable: true, writable: false, onread } as ConstructorParameters<
      typeof Socket
    >[0];
    const socket = new Socket(options);
    take = this.#take(name, socket);
    this.#follow(socket);
    socket.resume();
  }

  readStream(stream: Readable, name: StreamName): void {
    stream.on('data', this.#take(name, stream));
    this.#follow(stream);
  }

  /** Resolves when both streams have ended. */
  async closed(): Promise<void> {
    await Promise.all(this.#closed);
  }

  /** Stops reading. What the pipes still hold is lost. */
  close(): void {
    for (const stream of this.#streams) stream.destroy();
    if (this.#filter) this.#log?.write(this.#filter.end());
    this.#log?.close();
  }

  result() {
    const { stdout, stderr, output } = this.#rings;
    const log = this.#log;
    return {
      stdout: stdout.output(),
      stderr: stderr.output(),
      output: output.output(),
      ...(log?.written ? { logFile: log.file } : {}),
    };
  }

  #follow(stream: Readable): void {
    this.#streams.push(stream);
    stream.on('error', () => {});
    this.#closed.push(new Promise((resolve) => stream.once('close', resolve)));
  }

  #take(name: StreamName, stream: Readable): (chunk: Uint8Array) => void {
    const { onOutput } = this.#options;
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const tell = (text: string) => {
      if (text !== '') quietly(() => onOutput?.(text.replaceAll('\0', '\\0'), name));
    };
    if (onOutput) stream.once('close', () => tell(decoder.decode()));
    return (chunk) => {
      this.onActivity();
      this.#keep(chunk, name);
      if (onOutput) tell(decoder.decode(chunk, { stream: true }));
    };
  }

  #keep(chunk: Uint8Array, name: StreamName): void {
    const { output } = this.#rings;
    const { logFile, logBytes, logFilter } = this.#options;
    if (!this.#log && logFile !== undefined && output.wouldOverflow(chunk.length)) {
      this.#log = new OutputLog(logFile, logBytes ?? LOG_BYTES);
      this.#filter = logFilter?.();
      const { head, tail } = output.kept();
      this.#write(head);
      this.#write(tail);
    }
    this.#write(chunk);
    output.push(chunk);
    this.#rings[name].push(chunk);
  }

  /** Nothing is filtered that finds no room any more. */
  #write(chunk: Uint8Array): void {
    if (this.#log?.isOpen) this.#log.write(this.#filter ? this.#filter.push(chunk) : chunk);
  }
}

function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // A listener's fault must not break the call.
  }
}
