import { createHash, hash } from 'node:crypto';

export type ObjectKind = 'blob' | 'tree';

/** Up to so many bytes, one more copy costs less than a hash that is made for many pieces. */
const AT_ONCE = 1 << 16;

/** The id that git gives to an object. */
export function objectId(kind: ObjectKind, body: Uint8Array): string {
  if (body.length <= AT_ONCE) {
    const header = Buffer.from(`${kind} ${body.length}\0`, 'latin1');
    return hash('sha1', Buffer.concat([header, body]), 'hex');
  }
  return createHash('sha1').update(`${kind} ${body.length}\0`).update(body).digest('hex');
}

export interface TreeItem {
  /** One character per byte. */
  readonly name: string;
  readonly mode: '100644' | '100755' | '120000' | '40000';
  readonly oid: string;
}

/** The bytes of a tree object. */
export function treeBody(items: readonly TreeItem[]): Buffer {
  // Git sorts by bytes, and a folder as if its name ended in a slash.
  const sorted = items
    .map((item) => ({ item, order: item.mode === '40000' ? `${item.name}/` : item.name }))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const parts: Buffer[] = [];
  for (const { item } of sorted) {
    parts.push(Buffer.from(`${item.mode} ${item.name}\0`, 'latin1'), Buffer.from(item.oid, 'hex'));
  }
  return Buffer.concat(parts);
}
