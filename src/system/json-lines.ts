/** Reads objects from text that arrives in pieces. */
export interface JsonLines {
  readonly push: (text: string) => void;
  /** Reads the last line, when it did not end with a newline. */
  readonly end: () => void;
}

export interface JsonLinesOptions {
  /** Called for each line that is a JSON object. */
  readonly onObject: (value: Readonly<Record<string, unknown>>) => void;
  /** Called for each other line that is not blank, without its line end. */
  readonly onNoise?: (line: string) => void;
  /** Longer lines are noise, of which only the head is told. Default: 32 Mi characters. */
  readonly maxLine?: number;
}

/** One JSON object per line, between lines of any other kind: warnings, progress, banners. */
export function jsonLines({ onObject, onNoise, maxLine = 32 * 1024 * 1024 }: JsonLinesOptions): JsonLines {
  let pieces: string[] = [];
  let length = 0;

  const take = () => {
    const line = pieces.join('').replace(/\r$/, '');
    const value = length > maxLine ? undefined : objectOf(line);
    if (value) onObject(value);
    else if (line.trim() !== '') onNoise?.(line);
    pieces = [];
    length = 0;
  };
  const add = (piece: string) => {
    if (length < maxLine) pieces.push(piece.slice(0, maxLine - length));
    length += piece.length;
  };
  return {
    push: (text) => {
      let from = 0;
      for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
        add(text.slice(from, to));
        take();
        from = to + 1;
      }
      add(text.slice(from));
    },
    end: () => {
      if (length > 0) take();
    },
  };
}

function objectOf(line: string): Record<string, unknown> | undefined {
  // A byte order mark before the first line is no reason to lose it.
  const text = line.replace(/^\ufeff/, '').trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
