import { createDefaultRegistries } from '../../compose/registries.ts';
import { exitCodeOf } from '../../core/outcome.ts';
import { LoopEngine, type Place, type RunOptions } from '../../loopgen.ts';
import type { Context, Flags } from '../context.ts';
import { deliver, endTranscript, noticesTo, observersFor, ownFilesOf, requireWritable } from '../launch.ts';
import { renderDryRun } from '../render-dry-run.ts';
import { renderReport } from '../render-report.ts';
import { readSpecInput } from '../spec-input.ts';
import { styleFor } from '../style.ts';

/** `loopgen run SPEC`. Gives the exit code of the outcome. */
export async function run(context: Context, file: string, flags: Flags): Promise<number> {
  const registries = createDefaultRegistries();
  const { spec, notices, ...input } = await readSpecInput(context, file, flags, registries);
  if (flags['dryRun'] !== true) requireWritable(context, flags);
  const engine = new LoopEngine(registries);
  const notice = noticesTo(context);
  for (const message of notices) notice(message);
  const options: RunOptions = {
    ...input,
    signal: context.signal,
    env: context.env,
    skipPreflight: flags['skipPreflight'] === true,
    observers: observersFor(context, flags),
    ownFiles: ownFilesOf(context, flags),
    notice,
  };
  const style = styleFor(context.stdout, context.env);
  if (flags['dryRun'] === true) {
    const plan = await engine.plan(spec, options);
    context.stdout.write(
      flags['json'] === true ? `${JSON.stringify(plan, null, 2)}\n` : `${renderDryRun(plan, style)}\n`,
    );
    return 0;
  }
  let place: Place | undefined;
  const report = await engine.run(spec, {
    ...options,
    opened: (opened) => {
      place = opened;
    },
  });
  endTranscript(context, flags);
  await deliver(context, flags, report, () => renderReport(report, style, place?.runDir));
  return exitCodeOf(report.outcome);
}
