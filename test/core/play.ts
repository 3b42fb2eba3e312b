import { expect } from 'vitest';
import { emptyHistory, record } from '../../src/core/history.ts';
import { exitCodeOf } from '../../src/core/outcome.ts';
import { replay } from '../../src/journal/replay.ts';
import { type MemoryRun, type Played, playInMemory } from '../support/memory-run.ts';

export interface Result extends Played {
  readonly exitCode: number;
}

/** Plays a run, and holds for it what holds for every run: its events lead to its report, and folding changes nothing. */
export async function play(run: MemoryRun): Promise<Result> {
  const played = await playInMemory(run);
  const stored = played.events.map((event) => structuredClone(event));
  const journal = JSON.parse(JSON.stringify(stored)) as typeof stored;
  expect(replay(journal)).toEqual(JSON.parse(JSON.stringify(played.report)));
  let history = deepFreeze(emptyHistory);
  for (const event of stored) history = deepFreeze(record(history, deepFreeze(event)));
  expect(stored).toEqual(played.events);
  expect(played.events.map((event) => event.seq)).toEqual(played.events.map((_, index) => index));
  expect(played.events[0]?.type).toBe('run.started');
  expect(played.events.filter((event) => event.type === 'run.finished')).toEqual([played.events.at(-1)]);
  return { ...played, exitCode: exitCodeOf(played.report.outcome) };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

/** The outcome with the parts that only its own event has. */
export function outcomeOf({ events }: Played) {
  const last = events.at(-1);
  return last?.type === 'run.finished' ? last.outcome : undefined;
}
