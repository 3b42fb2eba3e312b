import { createDefaultRegistries } from '../../compose/registries.ts';
import { LoopgenError } from '../../core/error.ts';
import { nearest } from '../../core/suggest.ts';
import { which } from '../../system/which.ts';
import type { Context, Flags } from '../context.ts';
import { type Listed, renderList } from '../render-list.ts';
import { styleFor } from '../style.ts';

const KINDS = ['drivers', 'evaluators', 'tasks', 'observers'] as const;

/** `loopgen list`: what is registered, and whether it can be used here. */
export async function list(context: Context, kind: string | undefined, flags: Flags): Promise<number> {
  const kinds = kind === undefined ? KINDS : KINDS.filter((known) => known === kind);
  if (kind !== undefined && kinds.length === 0) {
    const guess = nearest(kind, KINDS);
    throw new LoopgenError('bad-kind', `"${kind}" is not one of ${KINDS.join(', ')}`, {
      ...(guess && { hint: `did you mean "${guess}"?` }),
    });
  }
  const registries = createDefaultRegistries();
  const listed: Listed[] = kinds.flatMap((name) =>
    registries[name].list().map((info) => ({
      kind: name,
      ...info,
      available: info.needs === undefined || which(info.needs, context.env) !== undefined,
    })),
  );
  context.stdout.write(
    flags['json'] === true
      ? `${JSON.stringify(listed, null, 2)}\n`
      : `${renderList(listed, styleFor(context.stdout, context.env))}\n`,
  );
  return 0;
}
