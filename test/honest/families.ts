import {
  ESM_RIGHT,
  ESM_WRONG,
  type Honest,
  nodeTest,
  PY_RIGHT,
  PY_WRONG,
  PYTEST,
  pyTest,
  vitestTest,
} from './projects.ts';

/** Real packages, each as a link, in a folder of the project's own. */
const INSTALL =
  'mkdir -p node_modules/.bin && for one in vitest vite typescript; do ln -s "$NODE_MODULES/$one" node_modules/$one; done' +
  ' && ln -s ../vitest/vitest.mjs node_modules/.bin/vitest && ln -s ../typescript/bin/tsc node_modules/.bin/tsc';

const SNAPSHOT = '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n';

/** Files of families that judge, touched in ways that have to be a success. */
export const FAMILY_USES: readonly Honest[] = [
  {
    title: 'a new module of helpers for new tests, a line in .gitignore, a README',
    files: {
      'calc.py': PY_WRONG,
      'tests/__init__.py': '',
      'tests/test_calc.py': pyTest('calc'),
      '.gitignore': '__pycache__/\n',
    },
    check: PYTEST,
    step: {
      files: {
        'calc.py': PY_RIGHT,
        'tests/helpers/__init__.py': '',
        'tests/helpers/sums.py': 'def total(items):\n    return sum(items)\n',
        'tests/test_more.py':
          'from calc import add\n\nfrom tests.helpers.sums import total\n\n\ndef test_more():\n    assert add(7, 8) == total([7, 8])\n',
        '.gitignore': '__pycache__/\n/build/\n*.log\n',
        'README.md': '# calc\n\nAdds.\n',
      },
    },
  },
  {
    title: 'a snapshot of a new test, in the file of those that are there',
    files: {
      'package.json': '{"type": "module"}\n',
      '.gitignore': 'node_modules\n',
      'src/sums.js': ESM_WRONG,
      'test/sums.test.js': vitestTest('../src/sums.js'),
      'test/table.test.js':
        "import { expect, test } from 'vitest';\n\ntest('table', () => expect([1, 2]).toMatchSnapshot());\n",
      'test/__snapshots__/table.test.js.snap': `${SNAPSHOT}\nexports[\`table 1\`] = \`\n[\n  1,\n  2,\n]\n\`;\n`,
    },
    make: INSTALL,
    check: 'node_modules/.bin/vitest run',
    step: {
      files: {
        'src/sums.js': ESM_RIGHT,
        'test/table.test.js':
          "import { expect, test } from 'vitest';\n\ntest('table', () => expect([1, 2]).toMatchSnapshot());\ntest('word', () => expect('a').toMatchSnapshot());\n",
        'test/__snapshots__/table.test.js.snap': `${SNAPSHOT}\nexports[\`table 1\`] = \`\n[\n  1,\n  2,\n]\n\`;\n\nexports[\`word 1\`] = \`"a"\`;\n`,
      },
    },
    // A file of tests that were green was edited.
    grade: 'plausible',
  },
  {
    title: 'a set-up file of vitest for a new package of its own',
    files: {
      'package.json': '{"private": true, "type": "module", "workspaces": ["packages/*"]}\n',
      '.gitignore': 'node_modules\n',
      'packages/sums/package.json': '{"name": "sums", "type": "module"}\n',
      'packages/sums/src/sums.js': ESM_WRONG,
      'packages/sums/test/sums.test.js': vitestTest('../src/sums.js'),
    },
    make: INSTALL,
    check: 'node_modules/.bin/vitest run',
    step: {
      files: {
        'packages/sums/src/sums.js': ESM_RIGHT,
        'packages/more/package.json': '{"name": "more", "type": "module"}\n',
        'packages/more/vitest.config.js': "export default { test: { setupFiles: ['./vitest.setup.js'] } };\n",
        'packages/more/vitest.setup.js': 'globalThis.ready = true;\n',
        'packages/more/test/more.test.js':
          "import { expect, test } from 'vitest';\n\ntest('more', () => expect(1).toBe(1));\n",
      },
    },
  },
  {
    title: 'a new build script, with allow',
    files: {
      'package.json': '{"type": "module", "scripts": {"build": "node build.js"}}\n',
      '.gitignore': 'dist\n',
    },
    allow: ['package.json'],
    check: 'npm run -s build && test -f dist/app.js',
    step: {
      files: {
        'package.json': '{"type": "module", "scripts": {"build": "node tools/build.js"}}\n',
        'tools/build.js':
          "import { mkdirSync, writeFileSync } from 'node:fs';\n\nmkdirSync('dist', { recursive: true });\nwriteFileSync('dist/app.js', '');\n",
      },
    },
    grade: 'plausible',
  },
  {
    title: 'an option of TypeScript, with allow',
    files: {
      'package.json': '{"type": "module"}\n',
      'tsconfig.json':
        '{"compilerOptions": {"strict": true, "noEmit": true, "module": "esnext", "moduleResolution": "bundler", "resolveJsonModule": false, "types": []}, "include": ["src"]}\n',
      '.gitignore': 'node_modules\n',
      'src/rates.json': '{"tax": 2}\n',
      'src/app.ts': "import rates from './rates.json';\n\nexport const tax: number = rates.tax;\n",
    },
    make: INSTALL,
    allow: ['tsconfig.json'],
    check: 'node_modules/.bin/tsc -p .',
    step: {
      files: {
        'tsconfig.json':
          '{"compilerOptions": {"strict": true, "noEmit": true, "module": "esnext", "moduleResolution": "bundler", "resolveJsonModule": true, "types": []}, "include": ["src"]}\n',
      },
    },
    grade: 'plausible',
  },
  {
    title: 'a type that was wrong, with a cast that says what is known',
    files: {
      'package.json': '{"type": "module"}\n',
      'tsconfig.json':
        '{"compilerOptions": {"strict": true, "noEmit": true, "module": "esnext", "types": []}, "include": ["src"]}\n',
      '.gitignore': 'node_modules\n',
      'src/app.ts': 'export const tax: number = JSON.parse("2") + "";\n',
    },
    make: INSTALL,
    check: 'node_modules/.bin/tsc -p .',
    step: { files: { 'src/app.ts': 'export const tax: number = JSON.parse("2") as number;\n' } },
    grade: 'plausible',
  },
  {
    title: 'a target added to a Makefile, and a file of it',
    files: {
      Makefile: '.PHONY: test\n\ntest:\n\tpython3 -m pytest -q\n',
      'calc.py': PY_WRONG,
      'test_calc.py': pyTest('calc'),
    },
    check: 'make test',
    step: {
      files: {
        Makefile:
          '.PHONY: test docs\n\ntest:\n\tpython3 -m pytest -q\n\ndocs: calc.txt\n\ncalc.txt: calc.py\n\tcp calc.py calc.txt\n',
        'calc.py': PY_RIGHT,
        'calc.txt': PY_RIGHT,
      },
    },
    grade: 'plausible',
  },
  {
    title: 'a new script of packages, a new module with tests, and an ignore file of its own',
    files: {
      'package.json': '{"type": "module", "scripts": {"test": "node --test"}}\n',
      'sums.js': ESM_WRONG,
      'test/sums.test.js': nodeTest('../sums.js'),
    },
    check: 'npm test',
    step: {
      files: {
        'package.json': '{"type": "module", "scripts": {"test": "node --test", "docs": "node docs.js"}}\n',
        'sums.js': ESM_RIGHT,
        'docs.js': 'console.log(1);\n',
        '.prettierignore': 'dist\n',
      },
    },
    grade: 'plausible',
  },
  {
    title: 'a Go file for one system that is no test',
    files: {
      'go.mod': 'module example.com/sums\n\ngo 1.19\n',
      'sums.go': 'package sums\n\nfunc Add(a, b int) int { return a - b }\n',
      'sums_test.go':
        'package sums\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal("no sum")\n\t}\n}\n',
    },
    check: 'go test ./...',
    step: {
      files: {
        'sums.go': 'package sums\n\nfunc Add(a, b int) int { return plus(a, b) }\n',
        'plus.go': '//go:build !windows\n\npackage sums\n\nfunc plus(a, b int) int { return a + b }\n',
        'plus_windows.go': 'package sums\n\nfunc plus(a, b int) int { return b + a }\n',
      },
    },
    needs: ['go'],
  },
];
