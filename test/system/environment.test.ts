import { expect, test } from 'vitest';
import { allowedEnvironment, checkEnvironment, notPassed } from '../../src/system/environment.ts';
import { redactor } from '../../src/system/redact.ts';
import { TOOL_HOMES } from '../../src/system/tool-homes.ts';

const source = {
  PATH: '/bin',
  HOME: '/home/u',
  LANG: 'de_DE.UTF-8',
  LC_ALL: 'C',
  TZ: 'Asia/Kathmandu',
  TMPDIR: '/t',
  HTTPS_PROXY: 'http://p:1',
  no_proxy: 'localhost',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  CARGO_HOME: '/c',
  PLAYWRIGHT_BROWSERS_PATH: '/b',
  PYTEST_ADDOPTS: '-k nothing',
  NODE_OPTIONS: '--require x',
  BASH_ENV: '/evil',
  FORCE_COLOR: '1',
  CI: 'false',
  LD_PRELOAD: '/x.so',
  ANTHROPIC_API_KEY: 'sk-secret-value',
  DATABASE_URL: 'postgres://u:pw-of-the-db@h/db',
  PWD: '/somewhere',
  UNSET: undefined,
};

test('only the allow-list comes through, with its values as they are', () => {
  expect(allowedEnvironment(source, [])).toEqual({
    PATH: '/bin',
    HOME: '/home/u',
    LANG: 'de_DE.UTF-8',
    LC_ALL: 'C',
    TZ: 'Asia/Kathmandu',
    TMPDIR: '/t',
    HTTPS_PROXY: 'http://p:1',
    no_proxy: 'localhost',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    CARGO_HOME: '/c',
    PLAYWRIGHT_BROWSERS_PATH: '/b',
  });
});

const RULED = [
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'TZ', 'TERM', 'TMPDIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'PYENV_ROOT', 'PYTHONUSERBASE', 'RUSTUP_HOME', 'CARGO_HOME'],
  ...['GOPATH', 'GOMODCACHE', 'GOCACHE', 'M2_HOME', 'MAVEN_HOME', 'MAVEN_USER_HOME', 'GRADLE_HOME'],
  ...['GRADLE_USER_HOME', 'NVM_DIR', 'PLAYWRIGHT_BROWSERS_PATH', 'JAVA_HOME', 'VIRTUAL_ENV'],
];
test.each(RULED)('%s comes through', (name) => {
  expect(allowedEnvironment({ [name]: 'v' }, [])).toEqual({ [name]: 'v' });
});

const KEPT_BACK = [
  ...[
    'PYTEST_ADDOPTS',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'PYTHONHOME',
    'NODE_OPTIONS',
    'NODE_PATH',
    'BASH_ENV',
    'ENV',
  ],
  ...['GOFLAGS', 'RUSTFLAGS', 'RUSTC_WRAPPER', 'MAKEFLAGS', 'MAVEN_OPTS', 'JAVA_TOOL_OPTIONS', 'LD_PRELOAD'],
  ...['LD_LIBRARY_PATH', 'GIT_DIR', 'GIT_CONFIG_GLOBAL', 'SSH_AUTH_SOCK', 'DOCKER_HOST', 'FORCE_COLOR', 'CI'],
  ...[
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'DATABASE_URL',
    'LCALL',
  ],
];
test.each(KEPT_BACK)('%s comes through only by its name', (name) => {
  expect(allowedEnvironment({ [name]: 'v' }, [])).toEqual({});
  expect(allowedEnvironment({ [name]: 'v' }, [name])).toEqual({ [name]: 'v' });
});

test('names that are passed come through verbatim, and only when they are set', () => {
  const env = allowedEnvironment(source, ['DATABASE_URL', 'NOT_SET', 'UNSET', 'BASH_ENV']);
  expect(env).toMatchObject({ DATABASE_URL: source.DATABASE_URL, BASH_ENV: '/evil' });
  expect(Object.keys(env)).not.toContain('NOT_SET');
  expect(Object.keys(env)).not.toContain('UNSET');
});

test('a check runs unattended, whatever CI is in the shell of the user', () => {
  expect(checkEnvironment(allowedEnvironment(source, []))).toMatchObject({
    CI: '1',
    TERM: 'dumb',
    npm_config_yes: 'true',
    PYTHONUNBUFFERED: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    PATH: '/bin',
  });
});

test('what is passed by name wins over what unattended runs set', () => {
  expect(checkEnvironment(allowedEnvironment(source, ['CI']))['CI']).toBe('false');
});

test('variables that a project may need are named when they were not passed', () => {
  const env = allowedEnvironment(source, []);
  expect(notPassed(source, env)).toEqual([
    'ANTHROPIC_API_KEY',
    'CI',
    'DATABASE_URL',
    'NODE_OPTIONS',
    'PYTEST_ADDOPTS',
  ]);
  expect(notPassed(source, allowedEnvironment(source, ['DATABASE_URL']))).not.toContain('DATABASE_URL');
  expect(
    notPassed({ PYTHONPATH: 'src', LD_LIBRARY_PATH: '/l', EMPTY_URL: '', SSH_AUTH_SOCK: '/s' }, {}),
  ).toEqual(['LD_LIBRARY_PATH', 'PYTHONPATH']);
});

test('every tool home is named once', () => {
  const names = TOOL_HOMES.map((home) => home.variable);
  expect(new Set(names).size).toBe(names.length);
  expect(TOOL_HOMES.every((home) => !home.place?.startsWith('/'))).toBe(true);
});

const secret = 'sk-ant/0123+"quoted"';
const redact = redactor({
  MY_API_KEY: secret,
  GITHUB_TOKEN: 'ghp_abcdefgh12345',
  PGPASSWORD: 'short',
  DATABASE_URL: 'postgres://user:pw-of-the-db@host/db',
  SSH_KEY_PATH: '/home/u/.ssh/id_rsa',
  TOKENIZERS_PARALLELISM: 'false-or-true',
  HOME: '/home/someone',
  AWS_SECRET_ACCESS_KEY: 'sk-ant/0123+"quoted"-and-more',
});

test.each([
  ['as it is', secret],
  ['in JSON', JSON.stringify({ key: secret }).slice(8, -2)],
  ['in a URL', encodeURIComponent(secret)],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
])('a secret is redacted %s', (_title, form) => {
  expect(redact(`a ${form} b ${form}`)).toBe('a <redacted MY_API_KEY> b <redacted MY_API_KEY>');
});

test.each(['', 'x', 'xy', 'xyz'])('a secret is redacted in base64 after %j', (before) => {
  for (const encoding of ['base64', 'base64url'] as const) {
    const text = redact(Buffer.from(`${before}ghp_abcdefgh12345 after`).toString(encoding));
    expect(text).toContain('<redacted GITHUB_TOKEN>');
    expect(Buffer.from(text.replace('<redacted GITHUB_TOKEN>', ''), encoding).toString()).not.toContain(
      'abcdefgh',
    );
  }
});

test.each([
  ['the password inside a URL', 'login pw-of-the-db failed', 'login <redacted DATABASE_URL> failed'],
  ['the longer of two secrets that begin alike', `${secret}-and-more`, '<redacted AWS_SECRET_ACCESS_KEY>'],
  ['no value that is short', 'a short text', 'a short text'],
  ['no path', '/home/u/.ssh/id_rsa', '/home/u/.ssh/id_rsa'],
  ['no setting', 'false-or-true', 'false-or-true'],
  ['no variable without a telling name', '/home/someone', '/home/someone'],
])('redaction takes %s', (_title, text, expected) => {
  expect(redact(text)).toBe(expected);
});

test('an environment without secrets changes no text', () => {
  expect(redactor({ HOME: '/home/someone', EMPTY_TOKEN: undefined })('any text')).toBe('any text');
});
