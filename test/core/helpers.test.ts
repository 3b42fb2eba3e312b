import { describe, expect, test } from 'vitest';
import { type Edits, type Files, notTaken, play, redIn } from './accept-play.ts';

interface Case {
  readonly title: string;
  readonly files: Files;
  readonly edits: Edits;
  readonly red: string;
}

const PY = {
  'shop/cart.py': 'def total(items):\n    return 0\n',
  'tests/test_cart.py':
    'from shop.cart import total\nfrom oracle import agree\n\n\ndef test_total():\n    agree(total([1]), 1)\n',
};
const AGREE = 'def agree(got, want):\n    if got != want:\n        raise AssertionError(got)\n';
const JS = {
  'package.json': '{"name":"shop","workspaces":["packages/*"]}\n',
  'src/cart.js': 'exports.total = () => 0;\n',
  'packages/wanter/package.json': '{"name":"wanter","main":"main.js"}\n',
  'packages/wanter/main.js': "exports.want = (a, b) => require('node:assert').deepEqual(a, b);\n",
  'test/cart.test.js':
    "const { want } = require('wanter');\nconst { total } = require('../src/cart');\ntest('a', () => want(total([1]), 1));\n",
};
const GO = {
  'go.mod': 'module ex.org/shop\n\nrequire ex.org/near v0.0.0\n\nreplace ex.org/near => ./third/near\n',
  'cart/cart.go': 'package cart\n\nfunc Total(x []int) int { return 0 }\n',
  'cart/cart_test.go':
    'package cart\n\nimport (\n\t"testing"\n\n\t"ex.org/near"\n\tsame "ex.org/shop/internal/eq"\n)\n\nfunc TestTotal(t *testing.T) {\n\tsame.Equal(t, Total(nil), 0)\n\tnear.Close(t, Total(nil), 0)\n}\n',
  'internal/eq/eq.go': 'package eq\n\nimport "testing"\n\nfunc Equal(t *testing.T, a, b int) {}\n',
  'internal/eq/diff.go': 'package eq\n\nfunc diff(a, b int) bool { return a != b }\n',
  'third/near/go.mod': 'module ex.org/near\n',
  'third/near/near.go': 'package near\n\nimport "testing"\n\nfunc Close(t testing.TB, a, b int) {}\n',
};

const KEPT: readonly Case[] = [
  {
    title: 'a condition of a module at the root',
    files: { ...PY, 'oracle.py': AGREE },
    edits: { 'oracle.py': AGREE.replace('!= want', 'is None') },
    red: 'tests/test_cart.py',
  },
  {
    title: 'a module behind a package that tests import',
    files: { ...PY, 'oracle/__init__.py': 'from .same import agree\n', 'oracle/same.py': AGREE },
    edits: { 'oracle/same.py': AGREE.replace('!= want', 'is None'), 'oracle/__init__.py': 'agree = print\n' },
    red: 'tests/test_cart.py',
  },
  {
    title: 'one that says yes or no, by its name',
    files: {
      'shop/cart.py': PY['shop/cart.py'],
      'near_support.py': 'def near(a, b):\n    return abs(a - b) < 1\n',
      'tests/test_cart.py':
        'import near_support\nfrom shop import cart\n\n\ndef test_total():\n    assert near_support.near(cart.total([1]), 1)\n',
    },
    edits: { 'near_support.py': 'def near(a, b):\n    return abs(a - b) < 9\n' },
    red: 'tests/test_cart.py',
  },
  {
    title: 'a package of the workspace',
    files: JS,
    edits: { 'packages/wanter/main.js': 'exports.want = (a) => a;\n' },
    red: 'test/cart.test.js',
  },
  {
    title: 'packages of Go, with new files of them',
    files: GO,
    edits: {
      'internal/eq/eq.go': `${GO['internal/eq/eq.go']}\nvar x = 1\n`,
      'internal/eq/diff.go': 'package eq\n\nfunc diff(a, b int) bool { return false }\n',
      'internal/eq/more.go': 'package eq\n',
      'third/near/near.go': `${GO['third/near/near.go']}\nvar x = 1\n`,
    },
    red: 'cart/cart_test.go',
  },
];

const HONEST: readonly Case[] = [
  {
    title: 'modules that only tests use yet',
    files: {
      'calc.py': 'def add(a, b):\n    assert a is not None\n    return 0\n',
      'text.py': 'def parse(x):\n    assert x\n    return None\n\n\ndef fails(x, y):\n    pass\n',
      'tests/test_calc.py':
        'import pytest\nfrom calc import add\nfrom text import parse, fails\n\n\ndef test_add():\n    assert add(parse("1"), 2) == 3\n    with pytest.raises(ValueError):\n        fails(add(1, 2), 2)\n',
    },
    edits: { 'calc.py': 'def add(a, b):\n    return a + b\n', 'text.py': 'parse = int\n' },
    red: 'tests/test_calc.py',
  },
  {
    title: 'a library of assertions with tests of its own',
    files: {
      ...GO,
      'internal/eq/eq_test.go':
        'package eq\n\nimport "testing"\n\nfunc TestEqual(t *testing.T) { Equal(t, 1, 1) }\n',
    },
    edits: { 'internal/eq/eq.go': `${GO['internal/eq/eq.go']}\nvar x = 1\n` },
    red: 'cart/cart_test.go',
  },
  {
    title: 'a package of the workspace that a source uses',
    files: { ...JS, 'src/order.js': "const { want } = require('wanter');\n" },
    edits: { 'packages/wanter/main.js': `${JS['packages/wanter/main.js']}exports.more = 1;\n` },
    red: 'test/cart.test.js',
  },
  {
    title: 'a stub by which tests compare, written',
    files: {
      'shop/cart.py': 'def total(items):\n    return 0\n',
      'shop/near.py': 'def near(a, b):\n    raise NotImplementedError\n',
      'shop/order.py': 'from shop.near import near\n',
      'tests/test_cart.py':
        'from shop.cart import total\nfrom shop.near import near\n\n\ndef test_total():\n    assert near(total([1]), 1)\n',
    },
    edits: { 'shop/near.py': 'def near(a, b):\n    return abs(a - b) < 1\n' },
    red: 'tests/test_cart.py',
  },
];

describe('modules by which red tests assert', () => {
  test.each(KEPT)('are as they were written: $title', ({ files, edits, red }) => {
    expect(notTaken(play(files, edits, { baseline: [redIn(red)] }), edits)).toEqual(
      Object.keys(edits).sort(),
    );
  });

  test.each(HONEST)('and what is tested is the agent’s: $title', ({ files, edits, red }) => {
    const accepted = play(files, edits, { baseline: [redIn(red)] });
    expect([notTaken(accepted, edits), accepted.caveats]).toEqual([[], []]);
  });

  test('and one that the program uses too is the agent’s, with a caveat where a comparison was edited', () => {
    const near = 'def near(a, b):\n    return abs(a - b) < 1\n\n\ndef least(a):\n    return a[0]\n';
    const files = {
      'shop/cart.py': 'def total(items):\n    return 0\n',
      'shop/near.py': near,
      'shop/order.py': 'from shop.near import near\n',
      'tests/test_cart.py':
        'from shop.cart import total\nfrom shop.near import near\n\n\ndef test_total():\n    assert near(total([1]), 1)\n',
    };
    const caveats = (text: string) =>
      play(files, { 'shop/near.py': text }, { baseline: [redIn('tests/test_cart.py')] }).caveats;
    expect(caveats(near.replace('< 1', '< 99'))).toEqual([
      'red tests compare by near of shop/near.py, which was edited',
    ]);
    expect(caveats(near.replace('a[0]', 'min(a)'))).toEqual([]);
  });
});
