import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { specFile } from '../src/spec/schema.ts';
import { specDocs } from './spec-docs.ts';
import { jsonSchemaOf } from './spec-schema.ts';

/** Writes `schema/loop.schema.json` and `docs/spec.md` from the table of keys. */
const root = fileURLToPath(new URL('..', import.meta.url));
await mkdir(`${root}schema`, { recursive: true });
await mkdir(`${root}docs`, { recursive: true });
const schema = jsonSchemaOf(specFile, 'loopgen spec');
await writeFile(`${root}schema/loop.schema.json`, `${JSON.stringify(schema, null, 2)}\n`);
await writeFile(`${root}docs/spec.md`, specDocs());
