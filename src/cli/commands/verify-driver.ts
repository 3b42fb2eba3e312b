import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDefaultRegistries } from '../../compose/registries.ts';
import { LoopgenError } from '../../core/error.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import type { Environment } from '../../core/plugin.ts';
import { allowedEnvironment } from '../../system/environment.ts';
import { type ConformanceOptions, runDriverConformance } from '../../testing/conformance/conformance.ts';
import { formatConformanceReport } from '../../testing/conformance/format.ts';
import type { ConformanceReport, ScenarioBrief } from '../../testing/conformance/scenario.ts';
import { scriptedOptions } from '../../testing/conformance/scripted-options.ts';
import { WIRED, type Wiring, wiredOptions, wiringOf } from '../../testing/conformance/wiring.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server/server.ts';
import type { Context, Flags } from '../context.ts';
import { styleFor } from '../style.ts';

type Own = Readonly<Record<string, unknown>>;

/** `loopgen verify-driver`: whether a driver keeps to what a run relies on. */
export async function verifyDriver(context: Context, name: string, flags: Flags): Promise<number> {
  const { drivers } = createDefaultRegistries();
  const driver = await drivers.get(name);
  if (name === 'none' && flags['json'] !== true) {
    context.stdout.write(
      'driver none changes nothing, it only lets the checks run, and so it is not tried\n',
    );
    return 0;
  }
  const own = (flags['options'] ?? {}) as Own;
  const common: ConformanceOptions = {
    makeDriver: () => driver,
    skip: (flags['skip'] ?? []) as readonly string[],
    timeoutMs: Number(flags['timeout']) * 1000,
    signal: context.signal,
    onScenario: ({ title, status }) => {
      if (context.stderr.isTTY) context.stderr.write(`${title}: ${status}\n`);
    },
  };
  const report = await (flags['scripted'] === true
    ? withScript(context, name, own, common)
    : runDriverConformance({ ...common, ...byItself(name, own) }));
  const text =
    flags['json'] === true
      ? JSON.stringify(report, null, 2)
      : formatConformanceReport(report, styleFor(context.stdout, context.env).width);
  context.stdout.write(`${text}\n`);
  return context.signal.aborted ? EXIT_CODES.aborted : codeOf(report);
}

function codeOf({ missing, passed }: ConformanceReport): number {
  if (missing.length > 0) return EXIT_CODES['preflight-failed'];
  return passed ? 0 : 1;
}

/** The mock driver has no model that could be asked; all others are led by their prompt. */
function byItself(name: string, own: Own): Pick<ConformanceOptions, 'optionsFor'> {
  const scripted = name === 'mock' ? scriptedOptions(name) : undefined;
  return { optionsFor: scripted ? over(scripted, own) : ledByPrompt(own) };
}

/** A real model has no usage limit when it is wanted, and which options deny is the driver's own. */
function ledByPrompt(own: Own): (brief: ScenarioBrief) => unknown {
  return ({ id }) => (id === 'tells-a-rate-limit' || id === 'tells-a-denied-permission' ? undefined : own);
}

function over(optionsFor: (brief: ScenarioBrief) => unknown, own: Own): (brief: ScenarioBrief) => unknown {
  return (brief) => {
    const given = optionsFor(brief);
    return typeof given === 'object' && given !== null ? { ...given, ...own } : undefined;
  };
}

async function withScript(
  context: Context,
  name: string,
  own: Own,
  common: ConformanceOptions,
): Promise<ConformanceReport> {
  const scripted = scriptedOptions(name);
  if (scripted) return await runDriverConformance({ ...common, optionsFor: over(scripted, own) });
  await using model = await startModelServer();
  await using home = await privateHome();
  const wiring = wiringFor(name, own, model, home.path);
  for (const [path, content] of Object.entries(wiring.files)) {
    await mkdir(dirname(join(home.path, path)), { recursive: true });
    await writeFile(join(home.path, path), content);
  }
  const asked = Object.fromEntries((common.skip as readonly string[]).map((id) => [id, 'as asked']));
  return await runDriverConformance({
    ...common,
    skip: { ...wiring.skip, ...asked },
    optionsFor: wiredOptions(wiring, own),
    model,
    env: { ...withoutHomes(allowedEnvironment(context.env, [])), HOME: home.path },
  });
}

function wiringFor(name: string, own: Own, model: ModelServer, home: string): Wiring {
  const preset = name === 'acp' && typeof own['preset'] === 'string' ? `:${own['preset']}` : '';
  const wiring = wiringOf(name + preset, { url: model.url, home });
  if (wiring) return wiring;
  throw new LoopgenError('not-wired', `it is not known how "${name}${preset}" is led to a scripted model`, {
    hint: `a driver of this repository needs its row in src/testing/conformance/wiring.ts; one of your own, runDriverConformance with optionsFor. Known are mock, command, ${WIRED.join(', ')} (acp:NAME: acp with --options '{"preset": "NAME"}')`,
  });
}

/** Settings of the user's own, accounts among them, would lead the agent elsewhere. */
function withoutHomes(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([key]) => !/^XDG_|_HOME$/.test(key)));
}

async function privateHome(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'loopgen-home-'));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
