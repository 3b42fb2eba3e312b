import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createDefaultRegistries } from '../../compose/registries.ts';
import { LoopgenError, messageOf } from '../../core/error.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import { exitCodeOf } from '../../core/outcome.ts';
import { type DetectedTests, detectTestCommand } from '../../core/runners/detect.ts';
import type { DriverSpec } from '../../core/spec.ts';
import type { Workspace } from '../../core/workspace.ts';
import { LoopEngine } from '../../loopgen.ts';
import type { Config } from '../../spec/config.ts';
import type { Context, Flags } from '../context.ts';
import { FIX_PROTECTS, fixSpec } from '../faces/fix-spec.ts';
import { deliver, endTranscript, noticesTo, observersFor, ownFilesOf, requireWritable } from '../launch.ts';
import { projectFiles } from '../project-files.ts';
import { type FixPlaces, renderFix } from '../render-fix.ts';
import { configFor, stateDirOf } from '../spec-input.ts';
import { styleFor } from '../style.ts';

/** `loopgen fix DIR`: a spec is built from the folder, and run. */
export async function fix(context: Context, name: string, flags: Flags): Promise<number> {
  const dir = folder(resolve(context.cwd, name), name);
  requireWritable(context, flags);
  const config = await configFor(context, dirname(dir));
  const checks = (flags['check'] as readonly string[] | undefined) ?? [];
  const found = checks.length > 0 ? undefined : detect(dir, name);
  const notice = noticesTo(context);
  if (found) notice(`${found.command} judges (found by ${found.because})${exitCodeOnly(found)}`);
  const spec = fixSpec({
    dir,
    ...(typeof flags['task'] === 'string' && { task: flags['task'] }),
    checks,
    ...(found && { found }),
    driver: driverOf(flags, config),
    maxAttempts: Number(flags['maxAttempts']),
    patience: Number(flags['patience']),
    timeout: Number(flags['timeout']),
    revert: flags['revert'] !== false,
    inPlace: flags['inPlace'] === true,
  });
  const style = styleFor(context.stdout, context.env);
  const stateDir = stateDirOf(context, flags, config);
  let places: FixPlaces = {};
  const report = await new LoopEngine(createDefaultRegistries()).run(spec, {
    baseDir: dir,
    face: 'fix',
    protect: FIX_PROTECTS,
    signal: context.signal,
    env: context.env,
    observers: observersFor(context, flags),
    ownFiles: ownFilesOf(context, flags),
    notice,
    ...(stateDir !== undefined && { stateDir }),
    opened: (place) => {
      places = { runDir: place.runDir };
    },
    finished: async ({ success }, workspace) => {
      const taken = await takeOut(context, flags, workspace, success).catch((error) => ({
        notApplied: `it failed on the way: ${messageOf(error)}`,
      }));
      places = { ...places, ...taken };
    },
  });
  endTranscript(context, flags);
  await deliver(context, flags, report, () => renderFix(report, style, places));
  if (places.notApplied === undefined) return exitCodeOf(report.outcome);
  if (flags['json'] === true) notice(`not applied: ${places.notApplied}`);
  // A result that was to be written back and was not is not done.
  return exitCodeOf(report.outcome) || EXIT_CODES['no-progress'];
}

/** `--patch` and `--apply`: the result leaves the copy, or stays there with the reason told. */
async function takeOut(
  context: Context,
  flags: Flags,
  workspace: Workspace,
  success: boolean,
): Promise<FixPlaces> {
  const end = await workspace.snapshot();
  const asked = flags['patch'];
  if (typeof asked === 'string') await workspace.savePatch(workspace.start, end, resolve(context.cwd, asked));
  const written: FixPlaces = typeof asked === 'string' ? { patch: asked } : {};
  if (flags['apply'] !== true) return written;
  if (!success) return { ...written, notApplied: 'only a green result is written back' };
  const result = await workspace.applyToOrigin(end);
  return 'applied' in result
    ? { ...written, applied: true }
    : { ...written, notApplied: `changed meanwhile in the original: ${result.conflicts.join(', ')}` };
}

function folder(dir: string, name: string): string {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return dir;
  throw new LoopgenError('bad-folder', `${name} is not a folder`);
}

function detect(dir: string, name: string): DetectedTests {
  const found = detectTestCommand(projectFiles(dir));
  if (found) return found;
  throw new LoopgenError('no-tests-found', `no test command found in ${name}`, {
    hint: 'name what judges: --check "make test"',
  });
}

const exitCodeOnly = ({ judged }: DetectedTests) =>
  judged === 'exit-code' ? ', by its exit code alone: loopgen has no report of its own for this runner' : '';

/** The flag, else the configuration, else the driver that changes nothing and says so. */
function driverOf(flags: Flags, config: Config): Pick<DriverSpec, 'uses' | 'options'> {
  const options = flags['driverOptions'] as Readonly<Record<string, unknown>> | undefined;
  const uses = typeof flags['driver'] === 'string' ? flags['driver'] : (config.driver?.uses ?? 'none');
  const configured = config.driver?.uses === uses ? config.driver.options : {};
  return { uses, options: { ...configured, ...options } };
}
