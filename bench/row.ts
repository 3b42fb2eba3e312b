/** One line of the table. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  /** What it was measured against, with its own figure. */
  readonly against?: string;
  /** Measured divided by that. */
  readonly ratio?: number;
  readonly toReach?: string;
  /** Absent: for information. */
  readonly met?: boolean;
}

const WIDTHS = [28, 8, 20, 6, 8, 7] as const;

export const HEAD = line(['what', 'measured', 'against', 'ratio', 'to reach', '']);
export const RULE = '-'.repeat(80);

/** The row in 80 columns. */
export function render({ what, measured, against, ratio, toReach, met }: Row): string {
  return line([
    what,
    measured,
    against ?? '',
    ratio === undefined ? '' : `${ratio.toFixed(2)}x`,
    toReach ?? '',
    met === undefined ? '' : met ? 'met' : 'NOT MET',
  ]);
}

function line(cells: readonly [string, string, string, string, string, string]): string {
  const [what, measured, against, ratio, toReach, met] = cells;
  const [w0, w1, w2, w3, w4] = WIDTHS;
  const left = `${what.padEnd(w0)}${measured.padStart(w1)}  ${against.padEnd(w2)}`;
  return `${left}${ratio.padStart(w3)} ${toReach.padStart(w4)} ${met}`.trimEnd();
}

/** A ratio of two figures and what it has to reach. */
export function ratioRow(
  what: string,
  figures: { readonly measured: string; readonly against: string; readonly ratio: number },
  limit: number,
): Row {
  return { what, ...figures, toReach: `<= ${limit}x`, met: figures.ratio <= limit };
}
