import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ObjectKind } from './objects.ts';

const TYPE: Record<ObjectKind, number> = { tree: 2, blob: 3 };
const BUFFER = 1 << 20;

interface PackedObject {
  readonly oid: string;
  readonly crc: number;
  readonly offset: number;
}

/** Writes one git pack, object by object, without deltas. Nothing is visible to git before `finish`. */
export class PackWriter {
  readonly #folder: string;
  readonly #temporary: string;
  readonly #fd: number;
  readonly #objects: PackedObject[] = [];
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #size = 0;

  /** `folder`: the `objects/pack` of a repository. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#temporary = join(folder, `tmp_pack_${randomBytes(6).toString('hex')}`);
    this.#fd = openSync(this.#temporary, 'w+', 0o600);
    this.#push(packHeader(0));
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an object whose body is deflated already. Returns where its deflated bytes begin. */
  add(oid: string, kind: ObjectKind, bodySize: number, deflated: Buffer): number {
    const head = entryHead(TYPE[kind], bodySize);
    this.#objects.push({ oid, crc: crc32(deflated, crc32(head)), offset: this.#size });
    this.#push(head);
    const at = this.#size;
    this.#push(deflated);
    return at;
  }

  /** Completes the pack and its index. Returns the pack's file, and the SHA-1 of all before its last 20 bytes. */
  finish(): { readonly file: string; readonly sum: Buffer } {
    this.#drain();
    writeSync(this.#fd, packHeader(this.#objects.length), 0, 12, 0);
    const sum = hashOf(this.#fd);
    writeSync(this.#fd, sum, 0, sum.length, this.#size);
    closeSync(this.#fd);
    const name = join(this.#folder, `pack-${sum.toString('hex')}`);
    renameSync(this.#temporary, `${name}.pack`);
    writeFileSync(`${name}.tmp`, packIndex(this.#objects, sum), { mode: 0o600 });
    renameSync(`${name}.tmp`, `${name}.idx`);
    return { file: `${name}.pack`, sum };
  }

  #push(bytes: Buffer): void {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#size += bytes.length;
    if (this.#pendingBytes > BUFFER) this.#drain();
  }

  #drain(): void {
    const bytes = Buffer.concat(this.#pending);
    const start = this.#size - bytes.length;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at, bytes.length - at, start + at);
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

function packHeader(count: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(count, 8);
  return header;
}

/** Type and size of an entry: four bits of the size, then seven per byte. */
function entryHead(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  bytes.push((type << 4) | (size % 16));
  while (rest > 0) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest % 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from(bytes);
}

function hashOf(fd: number): Buffer {
  const hash = createHash('sha1');
  const buffer = Buffer.allocUnsafe(BUFFER);
  for (let at = 0; ; ) {
    const read = readSync(fd, buffer, 0, buffer.length, at);
    if (read === 0) return hash.digest();
    hash.update(buffer.subarray(0, read));
    at += read;
  }
}

/** A version 2 index. Packs stay below 2 GiB, so that offsets fit in 31 bits. */
function packIndex(objects: readonly PackedObject[], packSum: Buffer): Buffer {
  const sorted = [...objects].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const head = Buffer.alloc(8 + 256 * 4);
  head.write('\xfftOc', 0, 'latin1');
  head.writeUInt32BE(2, 4);
  const counts = new Array<number>(256).fill(0);
  for (const { oid } of sorted) {
    const first = Number.parseInt(oid.slice(0, 2), 16);
    counts[first] = (counts[first] ?? 0) + 1;
  }
  let total = 0;
  for (const [first, count] of counts.entries()) {
    total += count;
    head.writeUInt32BE(total, 8 + first * 4);
  }
  const names = Buffer.from(sorted.map(({ oid }) => oid).join(''), 'hex');
  const body = Buffer.concat([
    head,
    names,
    words(sorted.map(({ crc }) => crc)),
    words(sorted.map(({ offset }) => offset)),
    packSum,
  ]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
