import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { Journal, readJournal } from '../../src/journal/journal.ts';
import { replay } from '../../src/journal/replay.ts';
import { playInMemory } from '../support/memory-run.ts';
import { tempDir } from '../support/temp-dir.ts';

const event = (seq: number, message = 'm'): Event => ({
  runId: 'r',
  seq,
  at: 1,
  elapsedMs: seq,
  type: 'warned',
  message,
});

async function written(file: string, events: readonly Event[]): Promise<Journal> {
  const journal = new Journal(file);
  for (const one of events) journal.append(one);
  return journal;
}

describe('the journal', () => {
  test('gives back what was written, as it was', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'events.jsonl');
    const events = [event(0), event(1, 'line\nbreak \u2028 \u0000 ü 😀'), event(2, '\ud800 lone')];
    const journal = await written(file, events);
    expect(readJournal(file)).toEqual(events);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
    journal.close();
  });

  test('can be read while it is written, and by nobody else on the machine', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'events.jsonl');
    const journal = await written(file, [event(0)]);
    expect(readJournal(file)).toHaveLength(1);
    journal.append(event(1));
    expect(readJournal(file)).toHaveLength(2);
    expect(statSync(file).mode & 0o077).toBe(0);
    journal.close();
  });

  test('passes over a torn last line, and over all that follows a torn line', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'events.jsonl');
    (await written(file, [event(0), event(1)])).close();
    const whole = readFileSync(file, 'utf8');
    for (let cut = 1; cut < 40; cut += 3) {
      writeFileSync(file, whole.slice(0, -cut));
      expect(readJournal(file).length).toBe(cut === 1 ? 2 : 1);
    }
    writeFileSync(file, `${whole}{"type":"war`);
    appendFileSync(file, `\n${JSON.stringify(event(3))}\n`);
    expect(readJournal(file)).toHaveLength(2);
  });

  test('of nothing is empty', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'events.jsonl');
    writeFileSync(file, '');
    expect(readJournal(file)).toEqual([]);
    writeFileSync(file, '42\n');
    expect(readJournal(file)).toEqual([]);
  });

  test.skipIf(!existsSync('/dev/full'))('remembers why it could not be written, and does not throw', () => {
    const journal = new Journal('/dev/full');
    journal.append(event(0));
    expect(journal.failure).toMatch(/^the journal cannot be written: .*ENOSPC/);
    journal.append(event(1));
    journal.close();
  });

  test('remembers an event that is no plain data', async () => {
    await using dir = await tempDir();
    const journal = new Journal(join(dir.path, 'events.jsonl'));
    journal.append(event(0, 1n as unknown as string));
    expect(journal.failure).toContain('BigInt');
    journal.append(event(1));
    expect(readJournal(journal.file)).toHaveLength(1);
    journal.close();
  });
});

describe('a journal played back', () => {
  test('gives the report of its run, through the disk', async () => {
    await using dir = await tempDir();
    const { events, report } = await playInMemory({
      files: { 'a.txt': 'todo' },
      checks: {
        done: async (read) => ({ passed: (await read('a.txt')) === 'done', feedback: 'not yet ü\n\u2028' }),
      },
      steps: [{ write: { 'a.txt': 'x' } }, { write: { 'a.txt': 'done' } }],
    });
    const file = join(dir.path, 'events.jsonl');
    (await written(file, events)).close();
    expect(replay(readJournal(file))).toEqual(JSON.parse(JSON.stringify(report)));
  });

  test('says of a run that was cut off that it did not finish, with all that was recorded', async () => {
    const { events } = await playInMemory({
      checks: { c: () => ({ passed: false, feedback: 'no' }) },
      steps: [{ write: { a: '1' } }, { write: { a: '2' } }],
    });
    for (let end = 1; end < events.length; end++) {
      const report = replay(events.slice(0, end));
      expect(report).toMatchObject({ runId: 'run-1', outcome: 'error', reason: 'the run did not finish' });
    }
  });
});
