import { createHash } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { LoopgenError, messageOf } from '../core/error.ts';
import { deflate, inflate } from './deflate.ts';
import { type ObjectKind, objectId } from './objects.ts';
import { PackWriter } from './pack.ts';

/** Above these, objects of one batch go into a pack and not into files of their own. */
const LOOSE_OBJECTS = 64;
const LOOSE_BYTES = 4 << 20;
/** Offsets in a pack's index have 31 bits. */
const PACK_BYTES = 1 << 30;

interface Pending {
  readonly oid: string;
  readonly kind: ObjectKind;
  readonly body: Buffer;
}

interface Location {
  /** Set once the object is on disk. */
  file: string;
  /** Where the deflated bytes begin. */
  readonly at: number;
  /** 0: the whole file, with git's header in it. */
  readonly length: number;
}

/**
 * A bare git repository of our own that holds bytes. Objects are written in git's formats without git: no
 * filter, attribute, ignore rule, hook or setting of the user can come between, and an idle turn costs no process.
 * Not for two writers that must know of each other's objects; readers are git itself and `read`.
 */
export class Store {
  readonly dir: string;
  readonly #known = new Map<string, Location>();
  #pending: Pending[] = [];
  #pendingBytes = 0;
  #pack: PackWriter | undefined;
  #packed: Location[] = [];
  /** Of each pack, by its file: what this process wrote. */
  readonly #sums = new Map<string, Buffer>();

  /** Makes the repository where there is none. */
  constructor(dir: string) {
    this.dir = dir;
    for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'info']) {
      mkdirSync(join(dir, folder), { recursive: true, mode: 0o700 });
    }
    writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/run\n');
    writeFileSync(join(dir, 'config'), CONFIG);
    // Wins over every attributes file of the workspace, should git ever work in it (`git apply`).
    writeFileSync(join(dir, 'info/attributes'), '* -text -filter -ident -working-tree-encoding !eol\n');
  }

  /** Takes an object and returns its id. It is on disk after `flush`. */
  add(kind: ObjectKind, body: Buffer): string {
    const oid = objectId(kind, body);
    if (this.#known.has(oid)) return oid;
    if (this.#pack) {
      this.#addToPack(this.#pack, { oid, kind, body });
      return oid;
    }
    this.#known.set(oid, { file: this.#loosePath(oid), at: 0, length: 0 });
    this.#pending.push({ oid, kind, body });
    this.#pendingBytes += body.length;
    if (this.#pending.length > LOOSE_OBJECTS || this.#pendingBytes > LOOSE_BYTES) this.#startPack();
    return oid;
  }

  /** Brings everything to disk. */
  flush(): void {
    for (const object of this.#pending) this.#writeLoose(object);
    this.#forgetPending();
    this.#finishPack();
  }

  /** The bytes of a blob that this store took. */
  read(oid: string): Buffer {
    const location = this.#known.get(oid);
    if (!location) throw new Error(`object ${oid} is not in the store ${this.dir}`);
    if (location.file === '') this.flush();
    if (location.length > 0) return inflateSync(readRange(location.file, location.at, location.length));
    const pending = this.#pending.find((object) => object.oid === oid);
    if (pending) return pending.body;
    const whole = inflateSync(readRange(location.file, 0, undefined));
    return whole.subarray(whole.indexOf(0) + 1);
  }

  /** Reads many blobs, each checked against its id. To be closed. */
  reader(): BlobReader {
    this.flush();
    return new BlobReader(this.dir, { locate: (oid) => this.#known.get(oid), sums: this.#sums });
  }

  #startPack(): void {
    const pack = new PackWriter(join(this.dir, 'objects/pack'));
    this.#pack = pack;
    for (const object of this.#pending) this.#addToPack(pack, object);
    this.#forgetPending();
  }

  #addToPack(pack: PackWriter, { oid, kind, body }: Pending): void {
    const deflated = deflate(body);
    const at = pack.add(oid, kind, body.length, deflated);
    const location: Location = { file: '', at, length: deflated.length };
    this.#known.set(oid, location);
    this.#packed.push(location);
    if (pack.size > PACK_BYTES) this.#finishPack();
  }

  #finishPack(): void {
    if (!this.#pack) return;
    const { file, sum } = this.#pack.finish();
    this.#sums.set(file, sum);
    for (const location of this.#packed) location.file = file;
    this.#packed = [];
    this.#pack = undefined;
  }

  #writeLoose({ oid, kind, body }: Pending): void {
    const file = this.#loosePath(oid);
    mkdirSync(dirname(file), { recursive: true });
    const bytes = Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body]);
    writeFileSync(`${file}.tmp`, deflate(bytes), { mode: 0o600 });
    renameSync(`${file}.tmp`, file);
  }

  #forgetPending(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #loosePath(oid: string): string {
    return join(this.dir, 'objects', oid.slice(0, 2), oid.slice(2));
  }
}

/** Packs up to this size are read at once. */
const WHOLE_PACK_BYTES = 64 << 20;
/** Beyond so many reads, one look at the whole pack costs less than one at each object. */
const MANY_READS = 100;
const SUM_BYTES = 20;

interface OpenPack {
  readonly fd: number;
  /** Its bytes, where they are few enough. */
  readonly whole: Buffer | undefined;
  reads: number;
  /** Whether all of its bytes are what was written; undefined: not asked yet. */
  isSound?: boolean;
}

interface Kept {
  readonly locate: (oid: string) => Location | undefined;
  readonly sums: ReadonlyMap<string, Buffer>;
}

/** Reads blobs in any number without opening their packs again and again. */
export class BlobReader implements Disposable {
  readonly #dir: string;
  readonly #kept: Kept;
  readonly #packs = new Map<string, OpenPack>();

  constructor(dir: string, kept: Kept) {
    this.#dir = dir;
    this.#kept = kept;
  }

  /** Throws `LoopgenError` `store-damaged` where the bytes are not those that were kept. */
  read(oid: string): Buffer {
    let found: { readonly bytes: Buffer; readonly isSound?: boolean };
    try {
      found = this.#bytesOf(oid);
    } catch (error) {
      throw this.#damaged(oid, messageOf(error));
    }
    const { bytes, isSound = false } = found;
    if (!isSound && objectId('blob', bytes) !== oid)
      throw this.#damaged(oid, 'its bytes are others than those that were kept');
    return bytes;
  }

  [Symbol.dispose](): void {
    for (const { fd } of this.#packs.values()) closeSync(fd);
    this.#packs.clear();
  }

  #bytesOf(oid: string): { readonly bytes: Buffer; readonly isSound?: boolean } {
    const location = this.#kept.locate(oid);
    if (!location) throw new Error('it is not there');
    const { file, at, length } = location;
    if (length === 0) {
      const whole = inflate(readRange(file, 0, undefined));
      return { bytes: whole.subarray(whole.indexOf(0) + 1) };
    }
    const pack = this.#open(file);
    if (!pack.whole) return { bytes: inflate(readFrom(pack.fd, at, length)) };
    pack.reads += 1;
    if (pack.reads > MANY_READS) pack.isSound ??= isAsWritten(pack.whole, this.#kept.sums.get(file));
    const bytes = inflate(pack.whole.subarray(at, at + length));
    return pack.isSound === true ? { bytes, isSound: true } : { bytes };
  }

  #open(file: string): OpenPack {
    const known = this.#packs.get(file);
    if (known) return known;
    const fd = openSync(file, 'r');
    const { size } = fstatSync(fd);
    const pack: OpenPack = {
      fd,
      whole: size <= WHOLE_PACK_BYTES ? readFrom(fd, 0, size) : undefined,
      reads: 0,
    };
    this.#packs.set(file, pack);
    return pack;
  }

  #damaged(oid: string, why: string): LoopgenError {
    return new LoopgenError('store-damaged', `object ${oid} of the store ${this.#dir} is damaged: ${why}`);
  }
}

function isAsWritten(pack: Buffer, sum: Buffer | undefined): boolean {
  if (sum === undefined) return false;
  return createHash('sha1').update(pack.subarray(0, -SUM_BYTES)).digest().equals(sum);
}

const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tquotePath = false
\tautocrlf = false
\tattributesFile = /dev/null
[gc]
\tauto = 0
`;

function readRange(file: string, at: number, length: number | undefined): Buffer {
  const fd = openSync(file, 'r');
  try {
    return readFrom(fd, at, length);
  } finally {
    closeSync(fd);
  }
}

function readFrom(fd: number, at: number, length: number | undefined): Buffer {
  const chunks: Buffer[] = [];
  for (let done = 0; length === undefined || done < length; ) {
    const chunk = Buffer.allocUnsafe(length === undefined ? 1 << 16 : length - done);
    const read = readSync(fd, chunk, 0, chunk.length, at + done);
    if (read === 0) break;
    chunks.push(chunk.subarray(0, read));
    done += read;
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
