import { createDefaultRegistries } from '../../compose/registries.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import { LoopEngine } from '../../loopgen.ts';
import type { Context, Flags } from '../context.ts';
import { noticesTo } from '../launch.ts';
import { renderCheck } from '../render-check.ts';
import { readSpecInput } from '../spec-input.ts';
import { styleFor } from '../style.ts';

const EXIT = { pass: 0, fail: 1, unusable: EXIT_CODES.unrunnable } as const;

/** `loopgen check SPEC`: the checks once, no agent. Exit code 0 green, 1 red, 3 unusable. */
export async function check(context: Context, file: string, flags: Flags): Promise<number> {
  const registries = createDefaultRegistries();
  const { spec, notices, ...input } = await readSpecInput(context, file, flags, registries);
  const notice = noticesTo(context);
  for (const message of notices) notice(message);
  const round = await new LoopEngine(registries).check(spec, {
    ...input,
    signal: context.signal,
    env: context.env,
  });
  if (context.signal.aborted) return EXIT_CODES.aborted;
  const style = styleFor(context.stdout, context.env);
  context.stdout.write(
    flags['json'] === true ? `${JSON.stringify(round, null, 2)}\n` : `${renderCheck(round, style)}\n`,
  );
  return EXIT[round.verdict.status];
}
