/** How text looks on one stream: its width, its colours, the characters it can show. */
export interface Style {
  /** Columns to fill, from 40 to 120. */
  readonly width: number;
  readonly colours: Colours;
  readonly symbols: Symbols;
}

type Paint = (text: string) => string;

/** Each gives its text back unchanged where there is no colour. */
export interface Colours {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

export interface Symbols {
  readonly pass: string;
  readonly fail: string;
  readonly unusable: string;
  readonly dot: string;
  readonly ellipsis: string;
  readonly bar: string;
  readonly rule: string;
  readonly spinner: readonly string[];
}

export const UNICODE: Symbols = {
  pass: '✓',
  fail: '✗',
  unusable: '?',
  dot: '·',
  ellipsis: '…',
  bar: '│',
  rule: '─',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

export const ASCII: Symbols = {
  pass: '+',
  fail: 'x',
  unusable: '?',
  dot: '-',
  ellipsis: '...',
  bar: '|',
  rule: '-',
  spinner: ['-', '\\', '|', '/'],
};

const same: Paint = (text) => text;

export const NO_COLOURS: Colours = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
};

/** What a style may fill where the terminal does not say, says nonsense, or is very wide. */
export function widthFor(columns: number | undefined): number {
  if (columns === undefined || !Number.isFinite(columns) || columns <= 0) return 80;
  return Math.min(120, Math.max(40, Math.floor(columns)));
}

/** 80 columns without colour: what a file or a pipe gets. */
export const PLAIN: Style = { width: 80, colours: NO_COLOURS, symbols: UNICODE };
