import { expect, test } from 'vitest';
import { OutputRing } from '../../src/system/output-ring.ts';

/** What a ring keeps of `text`, pushed in pieces of `size` bytes. */
function kept(text: string, keepBytes: number, size: number) {
  const ring = new OutputRing(keepBytes);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) ring.push(bytes.subarray(at, at + size));
  return ring.output();
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

test.each([1, 2, 3, 5, 7, 12, 36, 100])(
  'head and tail do not depend on the pieces (%i bytes each)',
  (size) => {
    expect(kept(letters, 8, size)).toEqual({ text: 'ab\n… 28 bytes left out …\n456789', droppedBytes: 28 });
    expect(kept(letters, 36, size)).toEqual({ text: letters, droppedBytes: 0 });
    expect(kept(letters, 35, size)).toEqual({
      text: `abcdefgh\n… 1 bytes left out …\n${letters.slice(9)}`,
      droppedBytes: 1,
    });
    expect(kept(letters, 0, size)).toEqual({ text: '\n… 36 bytes left out …\n', droppedBytes: 36 });
  },
);

test('a character that the cut would split is left out whole, and counted', () => {
  for (const text of ['ä'.repeat(50), '€'.repeat(50), '😀'.repeat(50), `x${'😀'.repeat(50)}yz`]) {
    for (let keep = 4; keep < 60; keep++) {
      const { text: shown, droppedBytes } = kept(text, keep, 7);
      expect(shown).not.toContain('\ufffd');
      const [head = '', tail = ''] = shown.split(`\n… ${droppedBytes} bytes left out …\n`);
      expect(Buffer.byteLength(head + tail) + droppedBytes).toBe(Buffer.byteLength(text));
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
    }
  }
});

test('the caller may use its buffer again', () => {
  const ring = new OutputRing(100);
  const buffer = Buffer.from('one ');
  ring.push(buffer);
  buffer.fill('x');
  ring.push(buffer);
  expect(ring.output().text).toBe('one xxxx');
});

test('bytes that are no text at either edge are kept', () => {
  const ring = new OutputRing(8);
  for (let n = 0; n < 20; n++) ring.push(Buffer.from([0xff]));
  expect(ring.output().text).toContain('\ufffd');
});
