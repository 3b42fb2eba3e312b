import { makePackages, npmInstall } from './npm.ts';
import { ESM_RIGHT, ESM_WRONG, type Honest, nodeTest, vitestTest } from './projects.ts';

/** Real packages, each as a link, in a folder of the project's own. */
const INSTALL =
  'mkdir -p node_modules/.bin && for one in vitest vite typescript; do ln -s "$NODE_MODULES/$one" node_modules/$one; done' +
  ' && ln -s ../vitest/vitest.mjs node_modules/.bin/vitest && ln -s ../typescript/bin/tsc node_modules/.bin/tsc';

const CJS_TEST = nodeTest('./sums.js').replaceAll(/import (.+) from '(.+)';/g, "const $1 = require('$2');");

export const JAVASCRIPT: readonly Honest[] = [
  {
    title: 'a package of a monorepo with hoisted packages',
    files: {
      'package.json': '{"private": true, "workspaces": ["packages/*"]}\n',
      '.gitignore': 'node_modules\n',
      'packages/app/package.json': '{"name": "app", "type": "module", "dependencies": {"plus": "1.0.0"}}\n',
      'packages/app/src/sums.js':
        "import { plus } from 'plus';\n\nexport const add = (a, b) => plus(a, -b);\n",
      'packages/app/test/sums.test.js': nodeTest('../src/sums.js'),
      'packages/lib/package.json': '{"name": "lib"}\n',
    },
    make: "mkdir -p node_modules/plus && echo 'exports.plus = (a, b) => a + b;' > node_modules/plus/index.js && ln -s ../packages/lib node_modules/lib",
    at: 'packages/app',
    check: 'node --test',
    step: {
      files: { 'src/sums.js': "import { plus } from 'plus';\n\nexport const add = (a, b) => plus(a, b);\n" },
    },
  },
  {
    title: 'a package of a monorepo, a package installed above it',
    files: {
      'package.json': '{"private": true, "workspaces": ["packages/*"]}\n',
      'package-lock.json': '{"lockfileVersion": 3, "packages": {}}\n',
      '.gitignore': 'node_modules\n',
      'packages/app/package.json': '{"name": "app", "type": "module"}\n',
      'packages/app/src/sums.js': ESM_WRONG,
      'packages/app/test/sums.test.js': nodeTest('../src/sums.js'),
    },
    make: 'mkdir -p node_modules && ln -s ../packages/app node_modules/app',
    at: 'packages/app',
    check: 'node --test',
    step: {
      files: {
        'package.json': '{"name": "app", "type": "module", "dependencies": {"plus": "1.0.0"}}\n',
        'src/sums.js': "import { plus } from 'plus';\n\nexport const add = (a, b) => plus(a, b);\n",
      },
      run: 'mkdir ../../node_modules/plus && echo "exports.plus = (a, b) => a + b;" > ../../node_modules/plus/index.js && echo \'{"lockfileVersion": 3, "packages": {"node_modules/plus": {}}}\' > ../../package-lock.json',
    },
  },
  {
    title: 'a package that npm installs',
    files: {
      'package.json': '{"type": "module"}\n',
      '.gitignore': 'node_modules\n',
      'sums.js': ESM_WRONG,
      'test/sums.test.js': nodeTest('../sums.js'),
    },
    make: makePackages(['plus', '1.0.0', 'exports.plus = (a, b) => a + b;']),
    check: 'node --test',
    step: {
      files: { 'sums.js': "import { plus } from 'plus';\n\nexport const add = (a, b) => plus(a, b);\n" },
      run: npmInstall('packages/plus-1.0.0.tgz'),
    },
  },
  {
    title: 'CommonJS, tests beside the code',
    files: {
      'package.json': '{"name": "cjs", "scripts": {"test": "node --test"}}\n',
      'lib/sums.js': 'exports.add = (a, b) => a - b;\n',
      'lib/sums.test.js': CJS_TEST,
    },
    check: 'node --test',
    step: { files: { 'lib/sums.js': 'exports.add = (a, b) => a + b;\n' } },
  },
  {
    title: 'ES modules, a dependency added, a script added, new tests',
    files: {
      'package.json': '{"type": "module", "scripts": {"test": "node --test"}}\n',
      '.gitignore': 'node_modules\n',
      'sums.js': ESM_WRONG,
      'test/sums.test.js': nodeTest('../sums.js'),
    },
    check: 'node --test',
    step: {
      files: {
        'package.json':
          '{"type": "module", "scripts": {"test": "node --test", "build": "true"}, "dependencies": {"plus": "^1.0.0"}}\n',
        'sums.js': "import { plus } from 'plus';\n\nexport const add = (a, b) => plus(a, b);\n",
        'test/more.test.js':
          "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from '../sums.js';\n\ntest('more', () => assert.equal(add(7, 8), 15));\n",
      },
      run: 'mkdir -p node_modules/plus && echo \'{"name": "plus", "version": "1.0.0"}\' > node_modules/plus/package.json && echo "exports.plus = (a, b) => a + b;" > node_modules/plus/index.js',
    },
  },
  {
    title: 'a dependency added where some were installed',
    files: {
      'package.json': '{"type": "module", "dependencies": {"old": "1.0.0"}}\n',
      'package-lock.json': '{"lockfileVersion": 3, "packages": {}}\n',
      '.gitignore': 'node_modules\n',
      'sums.js': ESM_WRONG,
      'test/sums.test.js': nodeTest('../sums.js'),
    },
    make: 'mkdir -p node_modules/old && echo "exports.minus = 1;" > node_modules/old/index.js && echo "{}" > node_modules/.package-lock.json',
    check: 'node --test',
    step: {
      files: {
        'package.json': '{"type": "module", "dependencies": {"old": "1.0.0", "plus": "1.0.0"}}\n',
        'package-lock.json':
          '{"lockfileVersion": 3, "packages": {"node_modules/plus": {"version": "1.0.0"}}}\n',
        'sums.js': "import { plus } from 'plus';\n\nexport const add = (a, b) => plus(a, b);\n",
      },
      run: 'mkdir -p node_modules/plus && mkdir -p node_modules/plus/node_modules/old && echo "exports.plus = (a, b) => a + b;" > node_modules/plus/index.js && echo "" > node_modules/plus/node_modules/old/index.js && echo \'{"packages": {}}\' > node_modules/.package-lock.json',
    },
  },
  {
    title: 'TypeScript with a build step, its output ignored by git',
    files: {
      'package.json': '{"type": "module", "scripts": {"build": "tsc -p .", "test": "node --test dist"}}\n',
      'tsconfig.json':
        '{"compilerOptions": {"module": "nodenext", "target": "es2022", "outDir": "dist", "rootDir": "src", "lib": ["es2022"], "skipLibCheck": true, "types": []}, "include": ["src/app.ts"]}\n',
      '.gitignore': 'node_modules\ndist\n',
      'src/app.ts': 'export const add = (a: number, b: number): number => a - b;\n',
      'test/app.test.js': nodeTest('../dist/app.js'),
    },
    make: INSTALL,
    check: 'node_modules/.bin/tsc -p . && node --test test/',
    step: { files: { 'src/app.ts': 'export const add = (a: number, b: number): number => a + b;\n' } },
    grade: 'plausible',
  },
  {
    title: 'an output folder ignored by git, built by the agent',
    files: {
      'package.json': '{"type": "module"}\n',
      'build.js': "import { cpSync } from 'node:fs';\n\ncpSync('src', 'dist', { recursive: true });\n",
      '.gitignore': 'dist\n',
      'src/sums.js': ESM_WRONG,
      'test/sums.test.js': nodeTest('../dist/sums.js'),
    },
    make: 'node build.js',
    check: 'node --test',
    step: { files: { 'src/sums.js': ESM_RIGHT }, run: 'node build.js' },
  },
  {
    title: 'a build that has to leave a file',
    files: {
      'package.json': '{"type": "module", "scripts": {"build": "node build.js"}}\n',
      '.gitignore': 'dist\n',
      'build.js': "throw new Error('not written');\n",
    },
    check: 'npm run build && test -f dist/app.js',
    step: {
      files: {
        'build.js':
          "import { mkdirSync, writeFileSync } from 'node:fs';\n\nmkdirSync('dist', { recursive: true });\nwriteFileSync('dist/app.js', '');\n",
      },
    },
    grade: 'plausible',
  },
  {
    title: 'vitest and TypeScript with a configuration, a snapshot of new tests',
    files: {
      'package.json': '{"type": "module", "scripts": {"test": "vitest run"}}\n',
      'vitest.config.ts':
        "import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({ test: { include: ['test/**/*.test.ts'] } });\n",
      '.gitignore': 'node_modules\n',
      'src/sums.ts': 'export const add = (a: number, b: number): number => a - b;\n',
      'test/sums.test.ts': vitestTest('../src/sums.ts'),
    },
    make: INSTALL,
    check: 'node_modules/.bin/vitest run',
    step: {
      files: {
        'src/sums.ts': 'export const add = (a: number, b: number): number => a + b;\n',
        'test/more.test.ts':
          "import { expect, test } from 'vitest';\nimport { add } from '../src/sums.ts';\n\ntest('more', () => expect(add(7, 8)).toMatchSnapshot());\n",
        'test/__snapshots__/more.test.ts.snap':
          '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`more 1`] = `15`;\n',
      },
    },
  },
];
