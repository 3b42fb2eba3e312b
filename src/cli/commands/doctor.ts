import { diagnose } from '../../compose/doctor.ts';
import { createDefaultRegistries } from '../../compose/registries.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import type { Context, Flags } from '../context.ts';
import { renderDoctor } from '../render-doctor.ts';
import { styleFor } from '../style.ts';

/** `loopgen doctor`: what this machine has. Exit code 0, or 3 where something is missing that every run needs. */
export async function doctor({ stdout, env, cwd, signal }: Context, flags: Flags): Promise<number> {
  const { drivers } = createDefaultRegistries();
  const diagnosis = await diagnose(drivers, env, { workdir: cwd, signal });
  if (signal.aborted) return EXIT_CODES.aborted;
  const text =
    flags['json'] === true
      ? JSON.stringify(diagnosis, null, 2)
      : renderDoctor(diagnosis, styleFor(stdout, env));
  stdout.write(`${text}\n`);
  return diagnosis.ok ? 0 : EXIT_CODES['preflight-failed'];
}
