/** `localhost:11434` and `http://localhost:11434/` are both meant as `http://localhost:11434`. */
export function baseUrl(host: string): string {
  const trimmed = host.trim().replace(/\/+$/, '');
  return /^https?:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
}

/** One line of a text, for a message. */
export function headOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

interface SilenceLimit extends Disposable {
  readonly signal: AbortSignal;
  readonly heard: () => void;
}

/** Aborts after `ms` without `heard()`; without `ms` never. */
export function silenceLimit(ms: number | undefined): SilenceLimit {
  const controller = new AbortController();
  const start = () => (ms === undefined ? undefined : setTimeout(() => controller.abort(), ms));
  let timer = start();
  return {
    signal: controller.signal,
    heard: () => {
      clearTimeout(timer);
      timer = start();
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
