import { deflateSync, inflateSync } from 'node:zlib';

/** Below this, setting up the compression costs more than it saves. */
const SMALL = 4096;
const BLOCK = 65_535;

/** A zlib stream of the bytes, as git stores them: small ones as they are, others compressed quickly. */
export function deflate(bytes: Buffer): Buffer {
  // A buffer that surely holds the result saves copies.
  return bytes.length < SMALL
    ? stored(bytes)
    : deflateSync(bytes, { level: 1, chunkSize: bytes.length + 64 });
}

function stored(bytes: Buffer): Buffer {
  const blocks = Math.max(1, Math.ceil(bytes.length / BLOCK));
  const out = Buffer.allocUnsafe(bytes.length + 6 + 5 * blocks);
  out.writeUInt16BE(0x7801);
  let at = 2;
  for (let block = 0; block < blocks; block++) {
    const part = bytes.subarray(block * BLOCK, (block + 1) * BLOCK);
    out[at] = block === blocks - 1 ? 1 : 0;
    out.writeUInt16LE(part.length, at + 1);
    out.writeUInt16LE(part.length ^ 0xffff, at + 3);
    out.set(part, at + 5);
    at += 5 + part.length;
  }
  out.writeUInt32BE(adler32(bytes), at);
  return out;
}

/** The bytes of a zlib stream; those that were stored as they are cost no decompression. Throws where it is damaged. */
export function inflate(bytes: Buffer): Buffer {
  return storedWhole(bytes) ?? inflateSync(bytes);
}

/** The bytes of a stream that is one stored block, without its sum: whoever reads objects checks their ids. */
function storedWhole(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 11 || bytes.readUInt16BE(0) !== 0x7801 || bytes[2] !== 1) return undefined;
  const length = bytes.readUInt16LE(3);
  return bytes.length === length + 11 ? bytes.subarray(7, 7 + length) : undefined;
}

function adler32(bytes: Buffer): number {
  let a = 1;
  let b = 0;
  for (let at = 0; at < bytes.length; ) {
    // So many sums stay below 2^31.
    const end = Math.min(at + 3800, bytes.length);
    for (; at < end; at++) {
      a += bytes[at] ?? 0;
      b += a;
    }
    a %= 65_521;
    b %= 65_521;
  }
  return b * 65_536 + a;
}
