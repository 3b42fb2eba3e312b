import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import type { Observer } from '../../src/core/plugin.ts';
import { createNotifier } from '../../src/observers/notify.ts';
import { agentStory, stamped } from './story.ts';

const events = stamped(agentStory);

/** Keeps what it sees, optionally as slowly as promises allow. */
function watcher(slow = false): Observer & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    name: 'watcher',
    seen,
    onEvent: (event) => {
      if (!slow) {
        seen.push(event.type);
        return;
      }
      return new Promise((resolve) =>
        setImmediate(() => {
          seen.push(event.type);
          resolve();
        }),
      );
    },
  };
}

/** A notifier with its warnings, after all events and its close. */
async function play(observers: readonly Observer[], closeMs = 1000) {
  const warnings: string[] = [];
  const notifier = createNotifier(observers, { warn: (message) => warnings.push(message), closeMs });
  for (const event of events) notifier.onEvent(event);
  notifier.onProgress({ type: 'waiting', what: 'something' });
  await notifier.close();
  return warnings;
}

const all = events.map((event) => event.type);

describe('notifier', () => {
  test('each observer sees every event in order, the slow one too', async () => {
    const [quick, slow] = [watcher(), watcher(true)];
    expect(await play([quick, slow])).toEqual([]);
    expect(quick.seen).toEqual(all);
    expect(slow.seen).toEqual(all);
  });

  test('an observer that throws is dropped with one warning, the others go on', async () => {
    let calls = 0;
    const broken: Observer = {
      name: 'broken',
      onEvent: () => {
        calls++;
        throw new Error('no more paper');
      },
    };
    const other = watcher();
    expect(await play([broken, other])).toEqual(['observer broken failed and is dropped: no more paper']);
    expect(calls).toBe(1);
    expect(other.seen).toEqual(all);
  });

  test('an observer that rejects is dropped with one warning', async () => {
    let calls = 0;
    const broken: Observer = {
      name: 'broken',
      onEvent: async () => {
        calls++;
        throw new Error('disk full');
      },
    };
    const other = watcher();
    expect(await play([broken, other])).toEqual(['observer broken failed and is dropped: disk full']);
    expect(calls).toBe(1);
    expect(other.seen).toEqual(all);
  });

  test('an observer that throws on progress or on close is dropped with one warning', async () => {
    const fail = () => {
      throw new Error('no');
    };
    const onProgress: Observer = { name: 'a', onEvent: () => {}, onProgress: fail, close: fail };
    const onClose: Observer = { name: 'b', onEvent: () => {}, close: fail };
    expect(await play([onProgress, onClose])).toEqual([
      'observer a failed and is dropped: no',
      'observer b failed and is dropped: no',
    ]);
  });

  test('an observer that failed is closed all the same', async () => {
    let closed = false;
    const broken: Observer = {
      name: 'broken',
      onEvent: () => Promise.reject(new Error('no')),
      close: async () => {
        closed = true;
      },
    };
    await play([broken]);
    expect(closed).toBe(true);
  });

  test('close waits for observers, but not for ever', async () => {
    const stuck: Observer = { name: 'stuck', onEvent: () => {}, close: () => new Promise(() => {}) };
    const held: Observer = { name: 'held', onEvent: () => new Promise(() => {}) };
    expect(await play([stuck, held], 30)).toEqual([
      'observer stuck failed and is dropped: it did not close within 0.03 s',
      'observer held failed and is dropped: it did not close within 0.03 s',
    ]);
  });

  test('an observer cannot change the event that the run rests on', async () => {
    const vandal: Observer = {
      name: 'vandal',
      onEvent: (event) => {
        Object.assign(event, { type: 'warned', runId: 'forged' });
        if ('verdict' in event) Object.assign(event.verdict, { status: 'pass' });
      },
    };
    const before = JSON.stringify(events);
    await play([vandal]);
    expect(JSON.stringify(events)).toBe(before);
  });

  test('an event that holds no plain data reaches observers as it is', async () => {
    const other = watcher();
    const notifier = createNotifier([other], { warn: () => {} });
    notifier.onEvent(Object.assign({}, events[0] as Event, { extra: () => 1 }));
    await notifier.close();
    expect(other.seen).toEqual(['run.started']);
  });
});
