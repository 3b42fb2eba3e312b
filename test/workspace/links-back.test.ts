import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { linksBackInto } from '../../src/workspace/links-back.ts';
import { tempDir } from '../support/temp-dir.ts';
import { put } from './support.ts';

const SITE = '.venv/lib/python3.12/site-packages';

const CASES: readonly (readonly [string, (origin: string) => void, string | undefined])[] = [
  ['nothing', () => {}, undefined],
  [
    'an absolute link',
    (origin) => symlinkSync(join(origin, 'src'), join(origin, 'link')),
    'link is a link to',
  ],
  ['a relative link', (origin) => symlinkSync('src', join(origin, 'link')), undefined],
  ['a link to elsewhere', (origin) => symlinkSync('/usr/bin/env', join(origin, 'link')), undefined],
  [
    'a path file',
    (origin) => put(origin, `${SITE}/x.pth`, `${origin}/src\n`),
    'x.pth is an editable install',
  ],
  [
    'a path file of a neighbour',
    (origin) => put(origin, `${SITE}/x.pth`, `${origin}-other/src\n`),
    undefined,
  ],
  [
    'an editable finder',
    (origin) => put(origin, `${SITE}/__editable___x_finder.py`, `MAPPING = {'x': '${origin}/src/x'}\n`),
    '__editable___x_finder.py is an editable install',
  ],
  [
    'an editable install by its record',
    (origin) =>
      put(
        origin,
        `${SITE}/x.dist-info/direct_url.json`,
        JSON.stringify({ url: pathToFileURL(origin), dir_info: { editable: true } }),
      ),
    'direct_url.json is an editable install',
  ],
  [
    'a package from the network',
    (origin) =>
      put(origin, `${SITE}/x.dist-info/direct_url.json`, JSON.stringify({ url: 'https://example.com/x' })),
    undefined,
  ],
  ['a source that names its own place', (origin) => put(origin, 'src/a.pth', origin), undefined],
];

test.each(CASES)('what leads back into the original: %s', async (_, prepare, expected) => {
  await using dir = await tempDir();
  const origin = join(dir.path, 'origin');
  put(origin, 'src/a.py', '');
  prepare(origin);
  const copy = join(dir.path, 'copy');
  cpSync(origin, copy, { recursive: true, verbatimSymlinks: true });
  const found = linksBackInto(copy, origin);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(expected);
});
