import { LoopgenError } from './error.ts';
import type { OptionsSchema } from './plugin.ts';

/** One thing that is wrong with the options of a plug-in. */
export interface OptionsIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The options as the plug-in's schema reads them, or what is wrong with them. Without a schema, as they are. */
export async function readOptions(
  schema: OptionsSchema | undefined,
  options: unknown,
): Promise<{ readonly value: unknown } | { readonly issues: readonly OptionsIssue[] }> {
  if (!schema) return { value: options };
  const result = (await schema['~standard'].validate(options)) as StandardResult;
  if (!result.issues) return { value: result.value };
  return {
    issues: result.issues.map((issue) => ({ path: pathOf(issue), message: forPerson(issue.message) })),
  };
}

/** The usual wording of schema libraries, in the words of the rest. */
function forPerson(message: string): string {
  return message
    .replace(/^Invalid input: expected (.+), received undefined$/, 'is missing; it must be $1')
    .replace(/^Invalid input: expected (.+), received (.+)$/, 'must be $1, not $2');
}

/** What Standard Schema's `validate` gives. */
interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly {
    readonly message: string;
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
  }[];
}

function pathOf(issue: NonNullable<StandardResult['issues']>[number]): (string | number)[] {
  return (issue.path ?? []).map((step) => {
    const key = typeof step === 'object' ? step.key : step;
    return typeof key === 'number' ? key : String(key);
  });
}

/** `readOptions`, or a `LoopgenError` `bad-options` that names the plug-in. */
export async function requireOptions(
  plugin: string,
  schema: OptionsSchema | undefined,
  options: unknown,
): Promise<unknown> {
  const read = await readOptions(schema, options);
  if ('value' in read) return read.value;
  const text = read.issues.map((i) => [i.path.join('.'), i.message].filter(Boolean).join(': ')).join('; ');
  throw new LoopgenError('bad-options', `options of ${plugin}: ${text}`);
}
