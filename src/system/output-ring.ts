import { printable } from './text.ts';

/** Keeps the head and the tail of a stream of bytes in bounded memory. A quarter of the room is the head's. */
export class OutputRing {
  readonly #headSize: number;
  readonly #tailSize: number;
  #head: Buffer = Buffer.alloc(0);
  #headLength = 0;
  #tail: Buffer = Buffer.alloc(0);
  /** Bytes that went past the head; the tail holds the last of them. */
  #past = 0;

  constructor(keepBytes: number) {
    this.#headSize = Math.floor(keepBytes / 4);
    this.#tailSize = keepBytes - this.#headSize;
  }

  /** True once bytes were dropped. */
  get overflowed(): boolean {
    return this.#past > this.#tailSize;
  }

  /** True when `more` further bytes would not all be kept. */
  wouldOverflow(more: number): boolean {
    return this.#headLength + this.#past + more > this.#headSize + this.#tailSize;
  }

  /** Copies what it keeps: the caller may use `chunk` again. */
  push(chunk: Uint8Array): void {
    const forHead = Math.min(this.#headSize - this.#headLength, chunk.length);
    if (forHead > 0) {
      this.#head = grown(this.#head, this.#headLength + forHead, this.#headSize);
      this.#head.set(chunk.subarray(0, forHead), this.#headLength);
      this.#headLength += forHead;
    }
    this.#pushTail(chunk.subarray(forHead));
  }

  #pushTail(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    const last = chunk.subarray(Math.max(0, chunk.length - this.#tailSize));
    this.#past += chunk.length - last.length;
    if (this.#past + last.length <= this.#tailSize) {
      this.#tail = grown(this.#tail, this.#past + last.length, this.#tailSize);
    } else if (this.#tail.length < this.#tailSize) {
      this.#tail = grown(this.#tail, this.#tailSize, this.#tailSize);
    }
    const at = this.#tailSize === 0 ? 0 : this.#past % this.#tailSize;
    const beforeEdge = Math.min(last.length, this.#tailSize - at);
    this.#tail.set(last.subarray(0, beforeEdge), at);
    this.#tail.set(last.subarray(beforeEdge), 0);
    this.#past += last.length;
  }

  /** The bytes kept so far, in order. */
  kept(): { head: Buffer; tail: Buffer } {
    const head = this.#head.subarray(0, this.#headLength);
    if (!this.overflowed) return { head, tail: this.#tail.subarray(0, this.#past) };
    const at = this.#tailSize === 0 ? 0 : this.#past % this.#tailSize;
    return { head, tail: Buffer.concat([this.#tail.subarray(at), this.#tail.subarray(0, at)]) };
  }

  /** Head, a line about what is missing, tail; `droppedBytes` is exactly what the text does not show. */
  output(): { text: string; droppedBytes: number } {
    const { head, tail } = this.kept();
    if (!this.overflowed) return { text: printable(Buffer.concat([head, tail])), droppedBytes: 0 };
    const start = withoutCutEnd(head);
    const end = withoutCutStart(tail);
    const droppedBytes = this.#headLength + this.#past - start.length - end.length;
    const text = `${printable(start)}\n… ${droppedBytes} bytes left out …\n${printable(end)}`;
    return { text, droppedBytes };
  }
}

function grown(buffer: Buffer, needed: number, limit: number): Buffer {
  if (buffer.length >= needed) return buffer;
  const larger = Buffer.alloc(Math.min(limit, Math.max(needed, buffer.length * 2, 1024)));
  larger.set(buffer);
  return larger;
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Drops the beginning of a character whose rest was left out. */
function withoutCutEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--;
  const first = bytes[lead];
  if (first === undefined || first < 0xc0) return bytes;
  const wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return bytes.length - lead < wanted ? bytes.subarray(0, lead) : bytes;
}

/** Drops the rest of a character whose beginning was left out. */
function withoutCutStart(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && isContinuation(bytes[from])) from++;
  return bytes.subarray(from);
}
