import type { Check } from './check.ts';
import {
  blocksSuccess,
  type Comparison,
  describeLosses,
  type Ledger,
  lossesOf,
  MAX_TEST_IDS,
  type TestIds,
} from './comparison.ts';
import { type Colour, colourOf, enclosing, matchTests, type Test, unitOf } from './test-names.ts';

/**
 * The check with what became of each test of the start. Where one is lost (it fails, vanished or is skipped
 * now), the check does not pass, whatever its evaluator says. `baseline`: the same check before any work.
 */
export function checkAgainstLedger(check: Check, baseline: Check | undefined): Check {
  if (check.judgedBy !== 'test-ids' || check.status === 'unusable') return check;
  const ledger = ledgerOf(check, baseline);
  if (check.status !== 'pass' || !blocksSuccess(ledger)) return { ...check, ledger };
  return {
    ...check,
    ledger,
    status: 'fail',
    heldBack: true,
    feedback: `${headline(ledger)}\n\n${check.feedback}`,
  };
}

function ledgerOf(check: Check, baseline: Check | undefined): Ledger {
  if (!baseline) return { compared: false, because: 'there was no baseline' };
  if (baseline.cause === 'collection')
    return { compared: false, because: 'the suite did not load at the start' };
  const before = baseline.judgedBy === 'test-ids' ? (baseline.tests?.all ?? []) : [];
  if (before.length === 0) return { compared: false, because: 'no test had an id at the start' };
  const known = new Set(baseline.tests?.known?.map((test) => test.id));
  return compareTests(before, check.tests?.all ?? [], known);
}

/** Ids that the line on top of a check's output names. */
const NAMED = 3;

function headline(ledger: Ledger): string {
  const lines = lossesOf(ledger).map(({ what, count, ids }) => {
    const more = count > NAMED ? ` and ${count - NAMED} more` : '';
    return `- ${what}: ${ids.slice(0, NAMED).join(', ')}${more}`;
  });
  return [`no pass, though the runner passes: against the start, ${describeLosses(ledger)}`, ...lines].join(
    '\n',
  );
}

/**
 * What became of every test of `before`. Pure. `known`: ids of failures from before that are nobody's task, and so are
 * neither losses nor what the work has mended.
 */
export function compareTests(
  before: readonly Test[],
  now: readonly Test[],
  known: ReadonlySet<string> = new Set(),
): Comparison {
  const counts = ([id, status]: Test) => !(known.has(id) && colourOf(status) === 'red');
  const matched = matchTests(before, now);
  const tally = new Tally();
  for (const [old, found] of matched.pairs) {
    if (!counts(old)) continue;
    tally.add(old[0], colourOf(old[1]), colourOf(found[1]));
    if (old[0] !== found[0] && colourOf(old[1]) === 'red') tally.renamed.add(`${old[0]} → ${found[0]}`);
  }
  const lost = matched.lost.filter(counts);
  if (lost.length > 0) addLost(tally, lost, now);
  return tally.comparison(matched.added.length);
}

/** Tests without a counterpart of their own: what they enclosed, or what encloses them now, speaks for them. */
function addLost(tally: Tally, lost: readonly Test[], now: readonly Test[]): void {
  const units = bestOf(now.map(([id, status]) => [unitOf(id), colourOf(status)] as const));
  const insides = bestOf(
    now.flatMap(([id, status]) => enclosing(id).map((unit) => [unit, colourOf(status)] as const)),
  );
  for (const [id, status] of lost) {
    const colour = colourOf(status);
    const inside = insides.get(unitOf(id));
    if (inside) tally.addUnit(id, colour, inside);
    else tally.add(id, colour, around(id, units));
  }
}

/** The colour of what encloses a test that is not reported itself: a file that is skipped or does not load. */
function around(id: string, units: ReadonlyMap<string, Colour>): Colour | undefined {
  const colours = enclosing(id).flatMap((unit) => units.get(unit) ?? []);
  return colours.includes('red') ? 'red' : colours.includes('idle') ? 'idle' : undefined;
}

/** Per name the best colour: one test that passes shows that its file was loaded. */
function bestOf(entries: readonly (readonly [string, Colour])[]): Map<string, Colour> {
  const best = new Map<string, Colour>();
  for (const [name, colour] of entries) {
    const other = best.get(name);
    if (other === undefined || colour === 'green' || (colour === 'red' && other === 'idle'))
      best.set(name, colour);
  }
  return best;
}

class Tally {
  #fixed = 0;
  #loaded = 0;
  #kept = 0;
  readonly #broken = new Ids();
  readonly #stillRed = new Ids();
  readonly #vanished = new Ids();
  readonly #newlySkipped = new Ids();
  readonly renamed = new Ids();

  /** `now` is undefined where the test is not reported any more. */
  add(id: string, before: Colour, now: Colour | undefined): void {
    if (before === 'idle') return;
    if (now === undefined) this.#vanished.add(id);
    else if (now === 'idle') this.#newlySkipped.add(id);
    else if (now === 'red') (before === 'red' ? this.#stillRed : this.#broken).add(id);
    else if (before === 'red') this.#fixed += 1;
    else this.#kept += 1;
  }

  /** A file or suite that stood for its tests at the start; `inside`: the best of them now. */
  addUnit(id: string, before: Colour, inside: Colour): void {
    if (before === 'red' && inside === 'green') this.#loaded += 1;
    else this.add(id, before, inside);
  }

  comparison(added: number): Comparison {
    return {
      compared: true,
      fixed: this.#fixed,
      loaded: this.#loaded,
      kept: this.#kept,
      broken: this.#broken.list(),
      stillRed: this.#stillRed.list(),
      vanished: this.#vanished.list(),
      newlySkipped: this.#newlySkipped.list(),
      renamed: this.renamed.list(),
      added,
    };
  }
}

class Ids {
  #count = 0;
  readonly #ids: string[] = [];

  add(id: string): void {
    this.#count += 1;
    if (this.#ids.length < MAX_TEST_IDS) this.#ids.push(id);
  }

  list(): TestIds {
    return { count: this.#count, ids: this.#ids };
  }
}
