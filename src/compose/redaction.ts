import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Spec } from '../core/spec.ts';
import { type Redactor, redactorOf } from '../system/redact.ts';
import { dotEnv, secretsIn, textsIn } from '../system/secrets.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** All that a run must not tell: secrets of the environment, of the workspace's `.env` files and of the spec's options. */
export function redactorFor(spec: Spec, { env, dir }: { env: Variables; dir: string }): Redactor {
  const options = textsIn([
    spec.driver.options,
    spec.escalate.map(({ driver }) => driver.options),
    spec.evaluators.map((evaluator) => evaluator.options),
  ]);
  return redactorOf([env, dotEnv(dir), options].flatMap((variables) => secretsIn(variables, env)));
}

/** Redacts a file in its place. */
export async function redactFile(file: string, { bytes }: Redactor): Promise<void> {
  const [pieces, clean] = [bytes(), `${file}.clean`];
  await pipeline(
    createReadStream(file),
    async function* (source: AsyncIterable<Buffer>) {
      for await (const piece of source) yield pieces.push(piece);
      yield pieces.end();
    },
    createWriteStream(clean, { mode: 0o600 }),
  );
  await rename(clean, file);
}

/** Applies a redaction of text to every string inside a value of plain data; the rest stays as it is. */
export function redactingDeeply(redact: (text: string) => string): <T>(value: T) => T {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
    return value;
  };
  return <T>(value: T) => walk(value) as T;
}
