import { describe, expect, test } from 'vitest';
import { type Edits, type Files, notTaken, play, redIn } from './accept-play.ts';

const PY: Files = {
  'shop/__init__.py': '',
  'shop/bill.py': 'def bill(x):\n    return open("rates/all.csv").read()\n',
  'rates/all.csv': '1\n',
  'golden/a.txt': 'a\n',
  'want/a.txt': 'a\n',
  'oracle.py': 'def agree(a, b):\n    assert a == b\n',
  'tests/test_bill.py':
    'from pathlib import Path\nfrom shop.bill import bill\nfrom oracle import agree\n\n\ndef test_bill():\n    for p in Path("golden").glob("*.txt"):\n        agree(bill("a"), p.read_text())\n    for name in ["a"]:\n        agree(bill(name), open(f"want/{name}.txt").read())\n    open("rates/all.csv")\n',
};
const JS: Files = {
  'package.json':
    '{"name":"shop","imports":{"#help/*":"./test/help/*","#src/*":"./src/*","#gone":"./none.js"},"workspaces":["packages/*"]}\n',
  'src/bill.js': 'export const bill = () => "";\n',
  'packages/wanter/package.json': '{"name":"wanter","main":"main.js"}\n',
  'packages/wanter/main.js': "exports.want = (a, b) => require('node:assert').equal(a, b);\n",
  'approved/tea.txt': 'tea\n',
  'test/help/same.js': 'export const same = (a, b) => assert.equal(a, b);\n',
  'test/tools/index.js': 'exports.same = (a, b) => assert.equal(a, b);\n',
  'test/bill.test.js':
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a test
    "import { same } from '#help/same.js';\nimport { bill } from '#src/bill.js';\nimport { want } from 'wanter';\nimport gone from '#gone';\nimport tools from './tools';\nfor (const name of ['tea']) want(bill(name), readFileSync(`approved/${name}.txt`, 'utf8'));\n",
};
const GO: Files = {
  'go.mod': 'module ex.org/w\n',
  'bill/bill.go': 'package bill\n',
  'bill/bill_test.go':
    'package bill\n\nfunc TestBill(t *testing.T) {\n\tfs, _ := os.ReadDir("../refs")\n\t_ = fs\n}\n',
  'refs/a.txt': 'a\n',
};

const RED = [redIn('tests/test_bill.py', 'test/bill.test.js', 'bill/bill_test.go')];

interface Case {
  readonly title: string;
  readonly files: Files;
  readonly edits: Edits;
}

const KEPT: readonly Case[] = [
  {
    title: 'files of a folder that Python lists, and new ones',
    files: PY,
    edits: { 'golden/a.txt': null, 'golden/b.txt': '' },
  },
  { title: 'files whose names Python works out', files: PY, edits: { 'want/a.txt': '' } },
  { title: 'files whose names JavaScript works out', files: JS, edits: { 'approved/tea.txt': '' } },
  {
    title: 'files of a folder that Go lists, and new ones',
    files: GO,
    edits: { 'refs/a.txt': '', 'refs/b.txt': '' },
  },
  {
    title: 'modules that the folder of a test gives first',
    files: PY,
    edits: { 'tests/oracle.py': 'agree = print\n', 'tests/shop/__init__.py': '', 'tests/shop/bill.py': '' },
  },
  {
    title: 'a package before a module by which red tests assert',
    files: PY,
    edits: { 'oracle/__init__.py': 'agree = print\n' },
  },
  {
    title: 'a package.json that names another file than the index, and packages nearer than others',
    files: JS,
    edits: {
      'test/tools/package.json': '{"main":"../../src/easy.js"}\n',
      'test/node_modules/wanter/index.js': 'exports.want = () => {};\n',
      'test/package.json': '{"imports":{"#help/*":"../src/*"}}\n',
    },
  },
];

const HONEST: readonly Case[] = [
  {
    title: 'data that a source names, and new data elsewhere',
    files: PY,
    edits: { 'rates/all.csv': '2\n', 'shop/data/x.csv': '', 'more/b.txt': '' },
  },
  {
    title: 'documents and pages that tests read',
    files: {
      'app.py': '',
      'docs/use.md': '',
      'notes/plan.txt': '',
      'tests/test_docs.py':
        'import app\nfrom pathlib import Path\n\n\ndef test_docs():\n    for p in Path("docs").glob("*.md"):\n        assert p.read_text()\n',
      'tests/test_notes.py': 'from pathlib import Path\nassert all(Path("notes").iterdir())\n',
    },
    edits: { 'docs/use.md': 'x\n', 'docs/more.md': 'x\n', 'notes/plan.txt': 'x\n' },
  },
  {
    title: 'new modules and tests in folders of tests',
    files: PY,
    edits: {
      'tests/shop/test_more.py': 'def test_more(): pass\n',
      'tests/builders.py': '',
      'shop/oracle.py': 'X = 1\n',
    },
  },
];

describe('what red tests find by a folder or a name', () => {
  test.each(KEPT)('is as it was: $title', ({ files, edits }) => {
    expect(notTaken(play(files, edits, { baseline: RED }), edits)).toEqual(Object.keys(edits).sort());
  });

  test.each(HONEST)('and the agent’s where it is not: $title', ({ files, edits }) => {
    const baseline = [redIn('tests/test_bill.py', 'tests/test_docs.py', 'tests/test_notes.py')];
    expect(notTaken(play(files, edits, { baseline }), edits)).toEqual([]);
  });

  const written = (path: string, edit: object) => {
    const text = JSON.stringify({ ...JSON.parse(JS[path] ?? ''), ...edit });
    const answer = play(JS, { [path]: text }, { baseline: RED }).of(path);
    return answer.goesIn && answer.text !== undefined ? JSON.parse(answer.text) : undefined;
  };

  test('entries of imports by which they find what is there lead where they led', () => {
    const imports = {
      '#help/same.js': './src/easy.js',
      '#help/*': './src/*',
      '#src/*': './src/*',
      '#gone': './src/a.js',
    };
    expect(written('package.json', { imports })?.imports).toEqual({
      '#help/*': './test/help/*',
      '#src/*': './src/*',
      '#gone': './src/a.js',
    });
  });

  test('and others are the agent’s', () => {
    const imports = {
      ...JSON.parse(JS['package.json'] ?? '').imports,
      '#gone': './src/a.js',
      '#more': './src/b.js',
    };
    expect(written('package.json', { imports })).toBeUndefined();
  });

  test('and a package by which they assert has the entry that it had', () => {
    expect(written('packages/wanter/package.json', { main: 'lite.js', version: '1.1.0' })).toEqual({
      name: 'wanter',
      version: '1.1.0',
      main: 'main.js',
    });
  });
});
