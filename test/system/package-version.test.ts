import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageVersion } from '../../src/system/package-version.ts';
import { tempDir } from '../support/temp-dir.ts';

test('the version of a program that lies in a package of npm is read there, also behind a link', async () => {
  await using dir = await tempDir('loopgen-package-');
  const folder = join(dir.path, 'lib/node_modules/@some/agent');
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'bin/agent.js'), '');
  await symlink(join(folder, 'bin/agent.js'), join(dir.path, 'agent'));
  expect(packageVersion(join(dir.path, 'agent'))).toBeUndefined();
  await writeFile(join(folder, 'package.json'), '{"version":"1.2.3"}');
  expect(packageVersion(join(dir.path, 'agent'))).toBe('1.2.3');
  expect(packageVersion(join(dir.path, 'lib'))).toBeUndefined();
});
