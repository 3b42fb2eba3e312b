type Signals = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const SIGNALS: readonly Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The part of `process` that is needed. */
interface Host {
  on(signal: Signals, listener: (signal: Signals) => void): unknown;
  off(signal: Signals, listener: (signal: Signals) => void): unknown;
}

/**
 * Ctrl-C, TERM or a closed terminal: the first time ends the run in order
 * (children ended, state kept, outcome `aborted`), the second time at once: `exit` must end the process by
 * `process.exit`, for which `system/kill.ts` listens as long as children run.
 */
export function interruption(
  host: Host,
  tell: (text: string) => void,
  exit: () => void,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const onSignal = (name: Signals): void => {
    if (!controller.signal.aborted) {
      tell(`\nloopgen: ${name}: ending what runs; once more ends it at once\n`);
      controller.abort('user');
      return;
    }
    exit();
  };
  for (const name of SIGNALS) host.on(name, onSignal);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of SIGNALS) host.off(name, onSignal);
    },
  };
}
