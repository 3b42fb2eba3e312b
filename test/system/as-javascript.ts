import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const source = new URL('../../src/system/', import.meta.url);

/** Writes `src/system` as JavaScript into `folder`, so that a Node without a loader (and its memory) can run it. */
export async function asJavaScript(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of await readdir(source)) {
    const { outputText } = ts.transpileModule(await readFile(new URL(name, source), 'utf8'), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    await writeFile(join(folder, name.replace(/\.ts$/, '.js')), outputText);
  }
}
