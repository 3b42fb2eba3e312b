import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/core/report.ts';
import { mend } from '../honest/mend.ts';
import { ESM_RIGHT, ESM_WRONG, type Honest, nodeTest } from '../honest/projects.ts';
import { hasBwrap, pathWithout } from './support.ts';

const PROJECT: Honest = {
  title: 'sums',
  files: {
    'package.json': '{"type": "module"}\n',
    'sums.js': ESM_WRONG,
    'test/sums.test.js': nodeTest('../sums.js'),
  },
  check: 'node --test',
  step: { files: { 'sums.js': ESM_RIGHT } },
};

/** A bubblewrap first on the PATH. `$REAL`: the one of the system. */
const withBwrap = (script: string) => (dir: string) => {
  const bin = pathWithout(join(dir, 'bin'), 'bwrap');
  const file = join(bin, 'bwrap');
  writeFileSync(file, `#!/bin/sh\nREAL=$(PATH=/usr/bin:/usr/local/bin:/bin command -v bwrap)\n${script}\n`);
  chmodSync(file, 0o755);
  return { PATH: bin };
};

const told = ({ outcome, trust, baseline, warnings }: Report) => ({
  outcome,
  grade: trust.grade,
  room: baseline?.room,
  notShown: trust.notShown.join('; '),
  warnings: warnings.join('; '),
});

describe.concurrent('a room of the engine', () => {
  test.runIf(hasBwrap)(
    'stands at the path of the workspace where bubblewrap works [needs bwrap]',
    async () => {
      const found = told(await mend(PROJECT));
      expect(found).toMatchObject({ outcome: 'success', grade: 'earned', room: { kind: 'bound' } });
      expect(found.notShown).not.toContain('walls');
    },
  );

  const cases: readonly [string, (dir: string) => Record<string, string>, string][] = [
    ['is not there', (dir) => ({ PATH: pathWithout(join(dir, 'bin'), 'bwrap') }), 'is not installed'],
    [
      'is refused by the system',
      withBwrap('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1'),
      'refused by the system: bwrap: setting up uid map: Permission denied',
    ],
    ['is ended by the system', withBwrap('kill -SYS $$'), 'refused by the system'],
    [
      'runs, but not with the walls that are needed',
      withBwrap(
        'case "$*" in --version) echo "bubblewrap 0.1";; *) echo "Unknown option --cap-drop" >&2; exit 1;; esac',
      ),
      'refused by the system: Unknown option --cap-drop',
    ],
  ];
  test.each(cases)(
    'is a folder of its own where bubblewrap %s, and the report says so',
    async (_, env, because) => {
      const found = told(await mend(PROJECT, { env }));
      expect(found).toMatchObject({
        outcome: 'success',
        grade: 'earned',
        room: { kind: 'folder', because: expect.stringContaining(because) },
      });
      expect(found.notShown).toContain(because);
    },
  );

  test('is a folder where bubblewrap passes a trial, but not the checks', async () => {
    const env = withBwrap(
      'case "$*" in *" /bin/sh -c :") exit 0;; --version) echo 1;; *) echo "no" >&2; exit 1;; esac',
    );
    const found = told(await mend(PROJECT, { env }));
    expect(found).toMatchObject({ outcome: 'success', grade: 'earned', room: { kind: 'folder' } });
    expect(found.room?.because).toContain('in a bound room');
  });

  test('is the workspace itself where the check behaves as the project does nowhere else', async () => {
    const isHome = "require('fs').readFileSync('.home', 'utf8') === process.cwd()";
    const found = told(
      await mend(
        {
          ...PROJECT,
          make: "node -e \"require('fs').writeFileSync('.home', process.cwd())\"",
          check: `node -e "process.exit(${isHome} ? 0 : 7)" && node --test`,
        },
        { env: (dir) => ({ PATH: pathWithout(join(dir, 'bin'), 'bwrap') }) },
      ),
    );
    expect(found).toMatchObject({ outcome: 'success', grade: 'plausible', room: { kind: 'workspace' } });
    expect(found.warnings).toContain('confirmed by a rerun in the workspace');
  });

  test('is no place for a green whose tests the agent edited', async () => {
    const isHome = "require('fs').readFileSync('.home', 'utf8') === process.cwd()";
    const cheat = {
      ...PROJECT,
      make: "node -e \"require('fs').writeFileSync('.home', process.cwd())\"",
      check: `node -e "process.exit(${isHome} ? 0 : 7)" && node --test`,
      step: {
        files: { 'test/sums.test.js': "import { test } from 'node:test';\ntest('adds', () => {});\n" },
      },
    };
    const env = (dir: string) => ({ PATH: pathWithout(join(dir, 'bin'), 'bwrap') });
    const { outcome, reason } = await mend(cheat, { env, spec: { limits: { maxIterations: 1 } } });
    expect([outcome, reason]).toEqual(['unconfirmed', expect.stringContaining('test/sums.test.js')]);
    const allow = await mend(cheat, { env, spec: { allow: ['test/sums.test.js'] } });
    expect([allow.outcome, allow.trust.grade]).toEqual(['success', 'plausible']);
  });
});
