import { type Honest, PY_RIGHT, PY_WRONG, PYTEST, pyTest } from './projects.ts';

const VENV = [
  'python3 -m venv --without-pip --system-site-packages .venv',
  'cd .venv/lib/python3.* && echo "$OLDPWD/src" > site-packages/__editable__.sums.pth',
].join(' && ');

export const PYTHON: readonly Honest[] = [
  {
    title: 'a src layout with an editable install in its own environment',
    files: {
      'src/sums/__init__.py': PY_WRONG,
      'tests/test_sums.py': pyTest('sums'),
      'pyproject.toml': '[project]\nname = "sums"\nversion = "1.0"\n',
      '.gitignore': '.venv\n__pycache__\n',
    },
    make: VENV,
    check: '.venv/bin/python -m pytest -q',
    step: { files: { 'src/sums/__init__.py': PY_RIGHT } },
    needs: ['bwrap'],
  },
  {
    title: 'tests beside the code',
    files: { 'shop/__init__.py': '', 'shop/cart.py': PY_WRONG, 'shop/test_cart.py': pyTest('shop.cart') },
    check: PYTEST,
    step: { files: { 'shop/cart.py': PY_RIGHT } },
  },
  {
    title: 'a module that the work adds',
    files: {
      'shop/__init__.py': '',
      'shop/cart.py': 'def add(a, b):\n    raise NotImplementedError\n',
      'tests/test_cart.py':
        'from shop.cart import add\n\n\ndef test_adds():\n    assert add(2, 3) == 5\n\n\ndef test_is_there():\n    assert callable(add)\n',
      'pytest.ini': '[pytest]\npythonpath = .\ntestpaths = tests\n',
    },
    check: PYTEST,
    step: {
      files: {
        'shop/cart.py': 'from shop.money.sums import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n',
        'shop/money/__init__.py': '',
        'shop/money/sums.py': 'def plus(a, b):\n    return a + b\n',
      },
    },
  },
  {
    title: 'a module that its tests were written before',
    files: { 'tests/test_tax.py': pyTest('tax'), 'other.py': '' },
    check: PYTEST,
    step: { files: { 'tax.py': PY_RIGHT } },
    grade: 'plausible',
  },
  {
    title: 'a file renamed that the red tests do not import, with the green tests that do',
    files: {
      'app/__init__.py': '',
      'app/sums.py': PY_WRONG,
      'app/utils.py': 'def shout(s):\n    return s.upper()\n',
      'tests/test_sums.py': pyTest('app.sums'),
      'tests/test_utils.py':
        'from app.utils import shout\n\n\ndef test_shout():\n    assert shout("a") == "A"\n',
    },
    check: PYTEST,
    step: {
      files: {
        'app/sums.py': PY_RIGHT,
        'tests/test_utils.py':
          'from app.text import shout\n\n\ndef test_shout():\n    assert shout("a") == "A"\n',
      },
      run: 'git mv app/utils.py app/text.py',
    },
    grade: 'plausible',
  },
  {
    title: 'a file renamed that no test imports',
    files: {
      'app/__init__.py': '',
      'app/sums.py': `from app.helpers import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n`,
      'app/helpers.py': 'def plus(a, b):\n    return a - b\n',
      'tests/test_sums.py': pyTest('app.sums'),
    },
    check: PYTEST,
    step: {
      files: {
        'app/sums.py': 'from app.arithmetic import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n',
        'app/arithmetic.py': 'def plus(a, b):\n    return a + b\n',
      },
      deleteFiles: ['app/helpers.py'],
    },
  },
  {
    title: 'a module that becomes a package',
    files: { 'calc.py': PY_WRONG, 'tests/test_calc.py': pyTest('calc'), 'tests/__init__.py': '' },
    check: PYTEST,
    step: {
      files: { 'calc/__init__.py': 'from .sums import add\n\n__all__ = ["add"]\n', 'calc/sums.py': PY_RIGHT },
      deleteFiles: ['calc.py'],
    },
  },
  {
    title: 'new tests of the agent, with a conftest.py and data of their own',
    files: { 'calc.py': PY_WRONG, 'tests/test_calc.py': pyTest('calc') },
    check: PYTEST,
    step: {
      files: {
        'calc.py': PY_RIGHT,
        'tests/more/test_more.py':
          'import pathlib\nfrom calc import add\n\n\ndef test_more():\n    a, b, c = map(int, (pathlib.Path(__file__).parent / "sums.txt").read_text().split())\n    assert add(a, b) == c\n',
        'tests/more/sums.txt': '7 8 15\n',
        'tests/more/conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef seven():\n    return 7\n',
      },
    },
  },
  {
    title: 'data that a script of the project generates, and fixtures that tests generate',
    files: {
      'calc.py':
        'import json\nimport pathlib\n\nTABLE = json.loads((pathlib.Path(__file__).parent / "data/table.json").read_text())\n\n\ndef add(a, b):\n    return TABLE[f"{a}+{b}"]\n',
      'data/table.json': '{"2+3": 6, "0+0": 0}\n',
      'scripts/generate.py':
        'import json\nimport pathlib\n\npathlib.Path("data/table.json").write_text(json.dumps({f"{a}+{b}": a - b for a in range(9) for b in range(9)}))\n',
      'tests/conftest.py':
        'import pathlib\nimport pytest\n\nOUT = pathlib.Path(__file__).parent / "generated"\n\n\n@pytest.fixture(scope="session", autouse=True)\ndef generated():\n    OUT.mkdir(exist_ok=True)\n    (OUT / "in.txt").write_text("2 3")\n',
      'tests/test_calc.py':
        'import pathlib\nfrom calc import add\n\n\ndef test_adds():\n    a, b = map(int, (pathlib.Path(__file__).parent / "generated/in.txt").read_text().split())\n    assert add(a, b) == 5\n\n\ndef test_nothing():\n    assert add(0, 0) == 0\n',
      '.gitignore': 'tests/generated\n__pycache__\n',
    },
    check: PYTEST,
    step: { run: "sed -i 's/a - b/a + b/' scripts/generate.py && python3 scripts/generate.py" },
  },
  {
    title: 'unittest',
    files: {
      'calc.py': PY_WRONG,
      'tests/__init__.py': '',
      'tests/test_calc.py':
        'import unittest\n\nfrom calc import add\n\n\nclass Calc(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(2, 3), 5)\n\n    def test_nothing(self):\n        self.assertEqual(add(0, 0), 0)\n',
    },
    check: 'python3 -m unittest discover -s tests -t .',
    step: { files: { 'calc.py': PY_RIGHT } },
  },
  {
    title: 'a dependency added to the environment of the project by hand',
    files: {
      'calc.py': PY_WRONG,
      'test_calc.py': pyTest('calc'),
      'requirements.txt': '\n',
      '.gitignore': '.venv\n__pycache__\n',
    },
    make: 'python3 -m venv --without-pip --system-site-packages .venv',
    check: '.venv/bin/python -m pytest -q',
    step: {
      files: {
        'calc.py': 'import tinysum\n\n\ndef add(a, b):\n    return tinysum.plus(a, b)\n',
        'requirements.txt': 'tinysum==1.0\n',
      },
      run: "cd .venv/lib/python3.*/site-packages && printf 'def plus(a, b):\\n    return a + b\\n' > tinysum.py && mkdir tinysum-1.0.dist-info && printf 'Metadata-Version: 2.1\\nName: tinysum\\nVersion: 1.0\\n' > tinysum-1.0.dist-info/METADATA",
    },
  },
  {
    title: 'a workspace that is no repository, with an ignored .env and a database that the tests write',
    files: {
      'calc.py':
        'import os\nimport pathlib\nimport sqlite3\n\nHERE = pathlib.Path(__file__).parent\n\n\ndef add(a, b):\n    with sqlite3.connect(HERE / "dev.db") as db:\n        db.execute("create table if not exists sums (a, b)")\n        db.execute("insert into sums values (?, ?)", (a, b))\n    assert "SECRET" in (HERE / ".env").read_text()\n    return a - b\n',
      'test_calc.py': pyTest('calc'),
      '.env': 'SECRET=1\n',
      '.gitignore': '.env\n*.db\n',
    },
    kept: 'no-git',
    check: PYTEST,
    step: { run: "sed -i 's/a - b/a + b/' calc.py" },
  },
  {
    title: 'a version that git describes',
    files: {
      'version.py':
        'import subprocess\n\n\ndef version():\n    return subprocess.run(["git", "describe", "--all"], check=True, capture_output=True, text=True).stdout\n',
      'tests/test_version.py':
        'from version import version\n\n\ndef test_version():\n    assert version() == "heads/main"\n\n\ndef test_is_there():\n    assert "heads/main" in version()\n',
    },
    make: 'git init -q -b main',
    check: PYTEST,
    step: { run: "sed -i 's/stdout$/stdout.strip()/' version.py" },
  },
  {
    title: 'a worktree of a repository, with work that the agent commits',
    files: { 'calc.py': PY_WRONG, 'tests/test_calc.py': pyTest('calc') },
    kept: 'worktree',
    check: PYTEST,
    step: {
      files: { 'calc.py': PY_RIGHT },
      run: 'git -c user.name=a -c user.email=a@localhost commit -qam mend',
    },
  },
  {
    title: 'a folder of a repository, with code of its neighbour and settings above',
    files: {
      'pytest.ini': '[pytest]\npythonpath = libs/base services/sums\n',
      'libs/base/base.py': 'def plus(a, b):\n    return a + b\n',
      'services/sums/sums.py': 'from base import plus\n\n\ndef add(a, b):\n    return plus(a, -b)\n',
      'services/sums/test_sums.py': pyTest('sums'),
    },
    at: 'services/sums',
    check: PYTEST,
    step: { files: { 'sums.py': 'from base import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n' } },
  },
  {
    title: 'settings of the project that the work touches beside those of the runner',
    files: {
      'pyproject.toml':
        '[project]\nname = "calc"\nversion = "1.0"\ndependencies = []\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
      'calc.py': PY_WRONG,
      'tests/test_calc.py': pyTest('calc'),
    },
    check: 'pytest -q',
    step: {
      files: {
        'pyproject.toml':
          '[project]\nname = "calc"\nversion = "1.1"\ndescription = "adds"\ndependencies = []\n\n[project.scripts]\ncalc = "calc:main"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n\n[tool.ruff]\nline-length = 100\n',
        'calc.py': PY_RIGHT,
        'CHANGELOG.md': '# 1.1\n',
      },
    },
  },
];
