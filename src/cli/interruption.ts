type Signals = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const SIGNALS: readonly Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The part of `process` that is needed. */
interface Host {
  on(signal: Signals, listener: (signal: Signals) => void): unknown;
  off(signal: Signals, listener: (signal: Signals) => void): unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One Ctrl-C may come twice, from the terminal and from a program in between (`npm run`) that passes it on. */
const ECHO_MS = 500;

/**
 * Ctrl-C, TERM or a closed terminal: the first time ends the run in order
 * (children ended, state kept, outcome `aborted`), the second time at once: `exit` must end the process by
 * `process.exit`, for which `system/kill.ts` listens as long as children run.
 * A terminal that closes may say so more than once, which is no insisting; under `nohup` it ends nothing.
 */
export function interruption(
  host: Host,
  tell: (text: string) => void,
  exit: () => void,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  // Node takes away that `nohup` had the signal ignored; shells name it in this variable.
  const stays = /(^|\/)nohup$/.test(host.env['_'] ?? '');
  let since = 0;
  const onSignal = (name: Signals): void => {
    if (name === 'SIGHUP' && stays) return;
    if (!controller.signal.aborted) {
      since = performance.now();
      tell(`\nloopgen: ${name}: ending what runs; once more ends it at once\n`);
      controller.abort('user');
      return;
    }
    if (name !== 'SIGHUP' && performance.now() - since > ECHO_MS) exit();
  };
  for (const name of SIGNALS) host.on(name, onSignal);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of SIGNALS) host.off(name, onSignal);
    },
  };
}
