import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Registries } from '../compose/registries.ts';
import type { Locate } from '../compose/resolve.ts';
import { LoopgenError } from '../core/error.ts';
import { readOptions } from '../core/options.ts';
import type { DriverSpec, Limits, ObserverSpec, Spec } from '../core/spec.ts';
import { type Config, loadConfig } from '../spec/config.ts';
import { loadSpec } from '../spec/load.ts';
import type { Context, Flags } from './context.ts';

/** A spec as a command line asks for it. */
export interface SpecInput {
  readonly spec: Spec;
  readonly specFile: string;
  readonly baseDir: string;
  readonly stateDir?: string;
  readonly locate: Locate;
  readonly notices: readonly string[];
}

/** Reads the spec, the configuration above it, and the flags over both. */
export async function readSpecInput(
  context: Context,
  file: string,
  flags: Flags,
  registries: Registries,
): Promise<SpecInput> {
  const { spec, notices, source } = await loadSpec(file);
  const specFile = resolve(context.cwd, file);
  const config = await configFor(context, dirname(specFile));
  const warnings = [...notices];
  const name = flags['driver'];
  const driver =
    typeof name === 'string'
      ? await swapDriver(registries, spec.driver, name, config, warnings)
      : spec.driver;
  const base = flags['base'];
  const stateDir = stateDirOf(context, flags, config);
  return {
    spec: {
      ...spec,
      driver,
      limits: limitsWith(spec.limits, flags),
      observability: { observers: withConfigured(spec.observability.observers, config.observers) },
    },
    specFile,
    baseDir: typeof base === 'string' ? baseFolder(context, base) : dirname(specFile),
    ...(stateDir !== undefined && { stateDir }),
    locate: (path) => (path[0] === 'driver' && name !== undefined ? undefined : source.locate(path)),
    notices: warnings,
  };
}

/** Only the workspace is made when it is missing: a base that is not there is a typing error. */
function baseFolder({ cwd }: Context, name: string): string {
  const dir = resolve(cwd, name);
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return dir;
  throw new LoopgenError('bad-folder', `--base ${name} is not a folder`);
}

export async function configFor(context: Context, from: string): Promise<Config> {
  return await loadConfig({
    from,
    home: context.env['HOME'] ?? homedir(),
    configHome: context.env['XDG_CONFIG_HOME'],
  });
}

export function stateDirOf(context: Context, flags: Flags, config: Config): string | undefined {
  const asked = flags['stateDir'];
  return typeof asked === 'string' ? resolve(context.cwd, asked) : config.stateDir;
}

/** Another driver for the same spec: its options are kept as far as the new one knows them. */
async function swapDriver(
  registries: Registries,
  driver: DriverSpec,
  name: string,
  config: Config,
  warnings: string[],
): Promise<DriverSpec> {
  const plugin = await registries.drivers.get(name);
  const offered = { ...(config.driver?.uses === name ? config.driver.options : {}), ...driver.options };
  const { kept, dropped } = await knownOptions(plugin.options, offered);
  if (dropped.length > 0)
    warnings.push(`--driver ${name}: options it does not know are left out: ${dropped.join(', ')}`);
  return { uses: name, options: kept, session: driver.session };
}

/** Drops each option without which fewer things are wrong. */
async function knownOptions(
  schema: Parameters<typeof readOptions>[0],
  offered: Readonly<Record<string, unknown>>,
): Promise<{ readonly kept: Record<string, unknown>; readonly dropped: readonly string[] }> {
  const wrong = async (options: unknown) => {
    const read = await readOptions(schema, options);
    return 'issues' in read
      ? read.issues.map((issue) => issue.message + issue.path.join('.')).join('\n')
      : '';
  };
  let kept: Record<string, unknown> = { ...offered };
  const dropped: string[] = [];
  for (const key of Object.keys(offered)) {
    const before = await wrong(kept);
    if (before === '') break;
    const { [key]: _, ...without } = kept;
    const after = await wrong(without);
    if (after.length >= before.length) continue;
    kept = without;
    dropped.push(key);
  }
  return { kept, dropped };
}

function limitsWith(limits: Limits, flags: Flags): Limits {
  const max = flags['maxIterations'];
  return {
    ...limits,
    ...(typeof max === 'number' && { maxIterations: max }),
    ...(flags['baseline'] === true && { baseline: 'warn' as const }),
    ...(flags['strictBaseline'] === true && { baseline: 'strict' as const }),
    ...(flags['skipBaseline'] === true && { baseline: 'off' as const }),
  };
}

/** The spec's observers, and those of the configuration that it does not name itself. */
function withConfigured(
  own: readonly ObserverSpec[],
  configured: readonly ObserverSpec[] = [],
): readonly ObserverSpec[] {
  const names = new Set(own.map((observer) => observer.name));
  return [...own, ...configured.filter((observer) => !names.has(observer.name))];
}
