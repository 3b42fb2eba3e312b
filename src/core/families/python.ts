import type { Family } from './row.ts';

const PYTEST = 'https://docs.pytest.org/en/stable/reference/customize.html';
const SITE = 'https://docs.python.org/3/library/site.html';

/** Names of the standard library that a module of the project can stand before on the path. */
export const STANDARD_MODULES: ReadonlySet<string> = new Set(
  `abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit base64 bdb binascii bisect builtins bz2
  cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent
  configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
  distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
  functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib
  imghdr imp importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox mailcap marshal
  math mimetypes mmap modulefinder multiprocessing netrc nntplib ntpath numbers opcode operator optparse os pathlib pdb
  pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile
  pyclbr pydoc pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors
  shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants
  sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile
  telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc
  tty types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc
  zipapp zipfile zipimport zlib zoneinfo _thread _io _json _pickle _random _weakref _collections_abc _strptime
  _pydatetime _pydecimal _pyio`.split(/\s+/),
);

/** Modules of test runners and of libraries that only tests use. */
export const TEST_MODULES: ReadonlySet<string> = new Set(
  `pytest _pytest pluggy iniconfig nose nose2 coverage xdist pytest_cov pytest_mock pytest_asyncio hypothesis approvals
  approvaltests assertpy hamcrest parameterized ddt testfixtures freezegun time_machine responses respx requests_mock
  httpretty model_bakery syrupy snapshottest inline_snapshot dirty_equals deepdiff testtools`.split(/\s+/),
);

export const PYTHON_FAMILIES: readonly Family[] = [
  {
    runner: 'pytest',
    globs: ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml', 'tox.ini', 'conftest.py'],
    when: 'tests-below',
    language: 'python',
    because: 'pytest reads it by itself',
    source: PYTEST,
  },
  {
    runner: 'pytest',
    globs: [
      '.coveragerc',
      '.pdbrc',
      'nose2.cfg',
      'unittest.cfg',
      '.noserc',
      'nose.cfg',
      '.testr.conf',
      '.stestr.conf',
    ],
    when: 'tests-below',
    language: 'python',
    because: 'a run of tests reads it by itself',
    source: 'https://coverage.readthedocs.io/en/latest/config.html',
  },
  {
    runner: 'pytest',
    globs: ['entry_points.txt'],
    when: 'always',
    mentions: /^\s*\[pytest11\]/m,
    because: 'it names a plug-in that pytest loads by itself',
    source: 'https://docs.pytest.org/en/stable/how-to/writing_plugins.html',
  },
  {
    runner: 'any',
    globs: ['*.pyc', '*.pyo'],
    when: 'planted-cache',
    because: 'Python would load it without a source',
    source: 'https://docs.python.org/3/reference/import.html#cached-bytecode-invalidation',
  },
  {
    runner: 'pytest',
    globs: [
      '.pytest_cache',
      '.hypothesis',
      '*.pyc',
      '*.pyo',
      '__pycache__',
      '.mypy_cache',
      '.ruff_cache',
      '.dmypy.json',
      '.pyre',
      '.pytype',
      '.testmondata',
    ],
    when: 'always',
    quiet: true,
    because: 'it is a cache',
    source: 'https://docs.pytest.org/en/stable/how-to/cache.html',
  },
  {
    runner: 'pytest',
    globs: ['*.dist-info', '*.egg-info', '*.egg', 'EGG-INFO'],
    when: 'always',
    quiet: true,
    because: 'metadata of packages can name plug-ins that pytest loads by itself',
    source: 'https://docs.pytest.org/en/stable/how-to/writing_plugins.html',
  },
  {
    runner: 'unittest',
    globs: ['__init__.py'],
    when: 'tests-below',
    language: 'python',
    mentions: /\bload_tests\b/,
    because: 'its load_tests decides which tests unittest runs',
    source: 'https://docs.python.org/3/library/unittest.html#load-tests-protocol',
  },
  {
    runner: 'any',
    globs: ['sitecustomize.*', 'usercustomize.*', '*.pth', '*.egg-link', 'pyvenv.cfg'],
    when: 'always',
    because: 'Python reads it whenever it starts',
    source: SITE,
  },
  {
    runner: 'any',
    globs: ['sitecustomize', 'usercustomize'],
    when: 'always',
    language: 'python',
    because: 'Python imports it whenever it starts',
    source: SITE,
  },
  {
    runner: 'any',
    globs: [
      ...['mypy.ini', '.mypy.ini', 'pyrightconfig.json', 'ty.toml', '.pyre_configuration', 'pytype.cfg'],
      ...[
        'ruff.toml',
        '.ruff.toml',
        '.flake8',
        '.pep8',
        'pylintrc',
        '.pylintrc',
        'pylintrc.toml',
        '.pylintrc.toml',
      ],
      ...[
        '.bandit',
        '.isort.cfg',
        '.pydocstyle',
        '.pydocstylerc',
        '.pycodestyle',
        '.style.yapf',
        '.yapfignore',
      ],
      ...['.importlinter', 'sqlfluff.cfg', '.sqlfluff'],
    ],
    when: 'sources-below',
    language: 'python',
    because: 'it tells a checker of the source what to look at',
    source: 'https://mypy.readthedocs.io/en/stable/config_file.html',
  },
  {
    runner: 'any',
    globs: ['.venv/bin', 'venv/bin', '**/.venv/bin', '**/venv/bin', '.tox', '.nox'],
    when: 'existing',
    because: 'programs that checks start lie there',
    source: 'https://docs.python.org/3/library/venv.html',
  },
  {
    runner: 'any',
    globs: ['noxfile.py', 'dodo.py', 'toxfile.py'],
    when: 'existing',
    because: 'it says how the tests are run',
    source: 'https://nox.thea.codes/en/stable/config.html',
  },
  {
    runner: 'any',
    globs: ['toxfile.py', 'tox.toml', 'nox.toml', 'hatch.toml'],
    when: 'tests-below',
    language: 'python',
    because: 'it says how the tests are run',
    source: 'https://tox.wiki/en/latest/plugins.html',
  },
  {
    runner: 'any',
    globs: ['tasks.py', 'fabfile.py'],
    when: 'existing',
    mentions: /^\s*(?:from|import)\s+(?:invoke|fabric)\b/m,
    because: 'it says how the tests are run',
    source: 'https://docs.pyinvoke.org/en/stable/concepts/loading.html',
  },
];
