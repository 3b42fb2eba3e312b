/** Some tests by their ids: how many, and the first of them. */
export interface TestIds {
  readonly count: number;
  /** At most `MAX_TEST_IDS` of them, in the order of the report. */
  readonly ids: readonly string[];
}

/** Most ids that a comparison keeps of each kind. */
export const MAX_TEST_IDS = 50;

/** How the tests of a check stand against those of the start; or why that is not known. */
export type Ledger = { readonly compared: false /** One phrase. */; readonly because: string } | Comparison;

/** Every test of the start and what became of it. Red: failed or errored. Green: passed. */
export interface Comparison {
  readonly compared: true;
  /** Red at the start, green now. Tests that the agent added are never among them. */
  readonly fixed: number;
  /** Files that did not load at the start (or whose set-up failed) and now have tests that pass. */
  readonly loaded: number;
  /** Green at the start, green now. */
  readonly kept: number;
  /** Green at the start, failing now. */
  readonly broken: TestIds;
  /** Red at the start, failing now. */
  readonly stillRed: TestIds;
  /** Red or green at the start, not in the report any more. */
  readonly vanished: TestIds;
  /** Red or green at the start; skipped, expected to fail or todo now. */
  readonly newlySkipped: TestIds;
  /** Red at the start, found again under another id: `old → new`. */
  readonly renamed: TestIds;
  /** Not there at the start. */
  readonly added: number;
}

/** True where a test that the start had is lost: no green may stand on that. */
export function blocksSuccess(ledger: Ledger | undefined): boolean {
  return ledger?.compared === true && lossesOf(ledger).length > 0;
}

export interface Loss extends TestIds {
  readonly what: 'green before, failing now' | 'vanished' | 'newly skipped';
}

/** The kinds of loss that there are, each with its tests. */
export function lossesOf(ledger: Ledger | undefined): readonly Loss[] {
  if (!ledger?.compared) return [];
  const losses: readonly Loss[] = [
    { what: 'green before, failing now', ...ledger.broken },
    { what: 'vanished', ...ledger.vanished },
    { what: 'newly skipped', ...ledger.newlySkipped },
  ];
  return losses.filter((loss) => loss.count > 0);
}

/** `2 vanished, 1 newly skipped`. */
export function describeLosses(ledger: Ledger | undefined): string {
  return lossesOf(ledger)
    .map(({ count, what }) => `${count} ${what}`)
    .join(', ');
}

/** How many tests neither pass nor fail any more, though they did at the start. */
export function missingTests(ledger: Ledger | undefined): number {
  return ledger?.compared ? ledger.vanished.count + ledger.newlySkipped.count : 0;
}

/** The ledger with fewer ids, for iterations that are past. */
export function slimLedger(ledger: Ledger, ids: number): Ledger {
  if (!ledger.compared) return ledger;
  const slim = (tests: TestIds): TestIds => ({ count: tests.count, ids: tests.ids.slice(0, ids) });
  return {
    ...ledger,
    broken: slim(ledger.broken),
    stillRed: slim(ledger.stillRed),
    vanished: slim(ledger.vanished),
    newlySkipped: slim(ledger.newlySkipped),
    renamed: slim(ledger.renamed),
  };
}
