import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Redactor, redactor } from '../../src/system/redact.ts';
import { dotEnv, secretsIn, textsIn } from '../../src/system/secrets.ts';
import { tempDir } from '../support/temp-dir.ts';

const SECRET = 'sk-Zq7/9+xY&"2<kLmN0pQ';
const redact = redactor({ MY_API_KEY: SECRET });
const MARK = '<redacted MY_API_KEY>';
const shell = (line: string) =>
  execFileSync('sh', ['-c', line], { env: { PATH: process.env['PATH'], S: SECRET } }).toString();

/** What a text in pieces of a size comes out as. */
function inPieces(redacting: Redactor, text: string, size: number): string {
  const pieces = redacting.pieces();
  let out = '';
  for (let at = 0; at < text.length; at += size) out += pieces.push(text.slice(at, at + size));
  return out + pieces.end();
}

function inBytes(redacting: Redactor, bytes: Buffer, size: number): Buffer {
  const pieces = redacting.bytes();
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) out.push(pieces.push(bytes.subarray(at, at + size)));
  return Buffer.concat([...out, pieces.end()]);
}

const json = JSON.stringify(SECRET).slice(1, -1);
const url = encodeURIComponent(SECRET);
const base64 = (before: string, encoding: 'base64' | 'base64url') =>
  Buffer.from(`${before}${SECRET} and more`).toString(encoding);
const FORMS: readonly (readonly [string, string])[] = [
  ['as it is', SECRET],
  ['in JSON', json],
  ['in JSON in JSON', JSON.stringify(json).slice(1, -1)],
  ['in a URL', url],
  ['in a URL with small letters', url.replace(/%../g, (code) => code.toLowerCase())],
  ['in XML', SECRET.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;')],
  ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
  ['in large hexadecimal', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ...['', 'a', 'ab'].flatMap((before) => [
    [`in base64 behind ${before.length}`, base64(before, 'base64')] as const,
    [`in the base64 of URLs behind ${before.length}`, base64(before, 'base64url')] as const,
  ]),
  ['in base64 with line breaks', shell(`printf %s "some text before $S and behind" | base64 -w 20`)],
];

describe.each(FORMS)('a secret %s', (_title, form) => {
  const text = `begin\n${form}\nend`;

  test('is replaced', () => {
    expect(redact(text)).toContain(MARK);
    expect(redact(text)).toMatch(/^begin\n[\s\S]*\nend$/);
  });

  test.each([1, 2, 3, 7, 16])('is replaced where it comes in pieces of %i', (size) => {
    expect(inPieces(redact, text, size)).toBe(redact(text));
    expect(inBytes(redact, Buffer.from(text), size).toString()).toBe(redact(text));
  });
});

describe('what comes in pieces', () => {
  test('is shown at once where no secret can begin in it', () => {
    const pieces = redact.pieces();
    expect(pieces.push('half a line ')).toBe('half a line ');
    expect(pieces.push(`and ${SECRET.slice(0, 9)}`)).toBe('and ');
    expect(pieces.push('not')).toBe(`${SECRET.slice(0, 9)}not`);
    expect(pieces.end()).toBe('');
  });

  test('keeps its bytes, whatever they are', () => {
    const bytes = Buffer.from(Array.from({ length: 2000 }, (_, i) => (i * 7919) % 256));
    expect(inBytes(redact, bytes, 13)).toEqual(bytes);
    const umlauts = redactor({ A_TOKEN: 'pässwörter-ñ' });
    expect(inBytes(umlauts, Buffer.from('x pässwörter-ñ ü'), 1).toString()).toBe('x <redacted A_TOKEN> ü');
  });

  test('has the longer of two secrets that begin alike, and the shorter before the beginning of another', () => {
    const two = redactor({ A_KEY: 'abcdefgh12', B_KEY: 'abcdefgh12-and-more', C_KEY: '2-other-secret' });
    for (const size of [1, 5, 10]) {
      expect(inPieces(two, 'x abcdefgh12-and-more y', size)).toBe('x <redacted B_KEY> y');
      expect(inPieces(two, 'x abcdefgh12', size)).toBe('x <redacted A_KEY>');
      expect(inPieces(two, 'x abcdefgh12 y', size)).toBe('x <redacted A_KEY> y');
    }
  });

  test('is as fast as a log needs, with many secrets and small pieces', () => {
    const many = redactor(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [`K${i}_TOKEN`, `${i}-token-value-${'x'.repeat(i)}`]),
      ),
    );
    const pieces = many.bytes();
    const line = Buffer.from('the quick brown fox jumps over the lazy dog, 0123456789\n');
    let length = 0;
    for (let i = 0; i < 2_000; i++) length += pieces.push(line).length;
    expect(length + pieces.end().length).toBe(2_000 * line.length);
  });
});

describe('a half that a cut has left', () => {
  const half = SECRET.slice(0, 12);
  const rest = SECRET.slice(12);
  test.each([
    ['before the sign of a cut', `text ${half}\n… 400 characters left out …\nmore`],
    ['behind it', `text\n… 400 bytes left out …\n${rest} more`],
    ['at the end of an excerpt', `text ${half} …`],
    ['at the end of a long text', `${'long '.repeat(40)}${half}`],
    ['at the beginning of one', `${rest}${' long'.repeat(40)}`],
  ])('is replaced %s', (_title, text) => {
    expect(redact(text)).toContain(MARK);
    expect(redact(text)).not.toContain(half);
    expect(redact(text)).not.toContain(rest);
  });

  test('is no alarm in a short text, or in the middle of one', () => {
    expect(redact(half)).toBe(half);
    expect(redact(`${'long '.repeat(40)}${half} and so on`)).toContain(half);
  });
});

test('a key of several lines is replaced whole and by its lines', () => {
  const lines = [
    '-----BEGIN PRIVATE KEY-----',
    'MIIEvQIBADANBgkqhkiG9w0BAQEF',
    'AASCBKcwggSjAgEAAoIBAQC7',
    '-----END PRIVATE KEY-----',
  ];
  const key = redactor({ DEPLOY_KEY: lines.join('\n') });
  expect(key(lines.join('\n'))).toBe('<redacted DEPLOY_KEY>');
  expect(key(`  | ${lines[1]}\n  | ${lines[2]}`)).toBe(
    '  | <redacted DEPLOY_KEY>\n  | <redacted DEPLOY_KEY>',
  );
  expect(key(JSON.stringify({ key: lines.join('\n') }))).toBe('{"key":"<redacted DEPLOY_KEY>"}');
});

describe('what is a secret', () => {
  const values = (env: Record<string, string>) => secretsIn(env).map(({ value }) => value);

  test.each([
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'CLIENT_SECRET',
    'PASSWORD',
    'PGPASSWORD',
    'DB_PASS',
    'apiKey',
    'npm_config__authToken',
    'SSH_PASSPHRASE',
    'SENTRY_DSN',
    'GH_PAT',
    'SESSION_COOKIE',
    'GOOGLE_CREDENTIALS',
    'SECRET_KEY_BASE',
  ])('the value of %s', (name) => {
    expect(values({ [name]: 'v4lue-of-it' })).toEqual(['v4lue-of-it']);
  });

  test.each([
    ['a password', 'postgres://u:pw-0f-db@h/d', ['pw-0f-db']],
    ['a password that is escaped', 'postgres://u:pw%2F0f%40db@h/d', ['pw%2F0f%40db', 'pw/0f@db']],
    ['a token for a user', 'https://ghp_0123456789abcdefABCD@github.com/a/b', ['ghp_0123456789abcdefABCD']],
    [
      'a token before a fixed word',
      'https://ghp_0123456789abcdefABCD:x-oauth-basic@h',
      ['x-oauth-basic', 'ghp_0123456789abcdefABCD'],
    ],
    ['the second of two', 'a=http://h/,b=redis://:r3dis-pass@h', ['r3dis-pass']],
    ['none', 'https://user@host.example/path', []],
  ])('in a URL: %s', (_title, value, expected) => {
    expect(values({ SOME_URL: value })).toEqual(expected);
  });

  test.each([
    ['a short value', 'A_TOKEN', 'true'],
    ['a common word', 'DB_PASSWORD', 'postgres'],
    ['a setting', 'PUPPETEER_AUTH', 'disabled'],
    ['the name of the user', 'DB_PASSWORD', 'somebody'],
    ['a path that is there', 'SSH_KEY', process.execPath],
    ['a path', 'SSH_KEY', '~/.ssh/id_rsa'],
    ['a place, by its name', 'SSH_KEY_PATH', '/home/somebody/key-of-mine'],
    ['one sign again and again', 'A_TOKEN', '********'],
    ['a place holder', 'A_TOKEN', '<your token>'],
    ['a reference', 'A_TOKEN', '$OTHER_VALUE'],
    ['a variable without a telling name', 'GREETING', 'good-morning'],
    ['the number of a key', 'AWS_ACCESS_KEY_ID', 'AKIA0123456789'],
  ])('not %s', (_title, name, value) => {
    expect(values({ [name]: value, USER: 'somebody', HOME: '/home/somebody' })).toEqual([]);
  });

  test('what the .env files of a project say, but for those that are for everybody', async () => {
    await using dir = await tempDir();
    mkdirSync(join(dir.path, '.env.d'));
    const files = {
      '.env':
        'export A_TOKEN="with # and \\"quotes\\"" # said\nPORT=8080\n# B_TOKEN=out-of-use\nC_KEY=bare-value # said\r\n',
      '.env.local': "D_SECRET='single $value'\n",
      '.env.example': 'E_TOKEN=an-example-of-it\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir.path, name), text);
    expect(secretsIn(dotEnv(dir.path))).toEqual([
      { name: 'A_TOKEN', value: 'with # and "quotes"' },
      { name: 'C_KEY', value: 'bare-value' },
      { name: 'D_SECRET', value: 'single $value' },
    ]);
    expect(dotEnv(join(dir.path, 'missing'))).toEqual({});
  });

  test('options of plug-ins, as deep as they go', () => {
    const options: Record<string, unknown> = { model: 'x', headers: [{ authToken: 'from-the-spec' }] };
    options['self'] = options;
    expect(secretsIn(textsIn(options))).toEqual([{ name: 'authToken', value: 'from-the-spec' }]);
  });
});
