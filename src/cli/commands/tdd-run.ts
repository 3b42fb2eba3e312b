import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { createDefaultRegistries } from '../../compose/registries.ts';
import { exitCodeOf } from '../../core/outcome.ts';
import type { Report } from '../../core/report.ts';
import { LoopEngine } from '../../loopgen.ts';
import { artefactsDirName, artefactsObserver } from '../../observers/artefacts.ts';
import type { Context, Flags } from '../context.ts';
import {
  type Challenge,
  makeAttemptRoom,
  readChallenge,
  type TddOptions,
  tddSpec,
} from '../faces/tdd-spec.ts';
import { deliver, noticesTo } from '../launch.ts';
import { renderTddEnd } from '../render-tdd.ts';
import { configFor, stateDirOf } from '../spec-input.ts';
import { styleFor } from '../style.ts';
import { benchmarkScreen, tddScreen } from '../tdd-screen.ts';

/** `loopgen tdd run DIR`. */
export async function tddRun(context: Context, dir: string, flags: Flags): Promise<number> {
  const challenge = await readChallenge(context.cwd, dir);
  const asked = flags['outDir'];
  const outDir =
    typeof asked === 'string' ? asked : join('runs', artefactsDirName(new Date(), challenge.dir));
  const report = await solve(context, challenge, flags, resolve(context.cwd, outDir), { quiet: false });
  const style = styleFor(context.stdout, context.env);
  const shown = relative(context.cwd, resolve(context.cwd, outDir)) || '.';
  await deliver(context, flags, report, () => renderTddEnd(report, style, shown));
  return exitCodeOf(report.outcome);
}

/** Solves one challenge in a room of its own and writes its attempts to `outDir` (absolute). */
export async function solve(
  context: Context,
  challenge: Challenge,
  flags: Flags,
  outDir: string,
  { quiet }: { readonly quiet: boolean },
): Promise<Report> {
  const options = tddOptions(context, flags);
  const stateDir = stateDirOf(context, flags, await configFor(context, context.cwd));
  const room = await makeAttemptRoom(challenge);
  try {
    const artefacts = artefactsObserver({
      dir: outDir,
      challenge: challenge.name,
      model:
        options.replay === undefined ? options.model : `replay of ${relative(context.cwd, options.replay)}`,
      maxAttempts: options.maxAttempts,
    });
    return await new LoopEngine(createDefaultRegistries()).run(tddSpec(challenge, room, options), {
      baseDir: room,
      face: 'tdd',
      signal: context.signal,
      env: context.env,
      observers: [
        artefacts,
        ...(quiet ? benchmarkScreen(context, flags, challenge.name) : tddScreen(context, flags)),
      ],
      notice: noticesTo(context),
      ...(stateDir !== undefined && { stateDir }),
    });
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

function tddOptions(context: Context, flags: Flags): TddOptions {
  const replay = flags['replay'];
  return {
    maxAttempts: Number(flags['maxAttempts']),
    model: String(flags['model']),
    host: String(flags['host']),
    timeout: Number(flags['timeout']),
    modelTimeout: Number(flags['modelTimeout']),
    temperature: Number(flags['temperature']),
    ...(typeof replay === 'string' && { replay: resolve(context.cwd, replay) }),
  };
}
