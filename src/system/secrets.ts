import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A value that no record may hold, with the name that stands for it. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** `OPENAI_API_KEY`, `apiKey`, `PGPASSWORD`: the word at the end of a part of the name counts. */
const SECRET_NAME =
  /(?:^|_)(?:[A-Z0-9]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)|PASS|PWD|PAT|CREDENTIALS?|AUTH|AUTHORIZATION|COOKIE|DSN)S?(?:_|$)/i;
/** Names of places and settings, which hold no secret whatever else is in the name. */
const NO_SECRET_NAME =
  /(?:_|^)(?:PATH|FILE|DIR|HOME|SOCK|PWD_DIR|PARALLELISM|ID|LAYOUT|TYPE)$|^(?:OLD)?PWD$/i;
/** Shorter values are in every text. */
const SHORTEST = 8;
/** Values that services are set up with, and settings: they are in every text too. */
const COMMON = new Set(
  'username password passw0rd changeme postgres postgresql mysql-root rootroot disabled required optional automatic anonymous undefined keychain libsecret production development localhost'.split(
    ' ',
  ),
);
/** Variables whose values are in every path and message. */
const PLAIN_NAMES = ['USER', 'LOGNAME', 'HOME', 'HOSTNAME', 'SHELL', 'PWD', 'LANG', 'TERM', 'TMPDIR'];

/**
 * The secrets among some variables: by their names, and the credentials inside URLs. `around`: the environment, whose
 * user name and paths are none. Default: the variables themselves.
 */
export function secretsIn(variables: Variables, around: Variables = variables): Secret[] {
  const plain = PLAIN_NAMES.flatMap((name) => around[name] ?? []).join('\n');
  return Object.entries(variables).flatMap(([name, value = '']) =>
    valuesOf(name, value)
      .filter((secret) => secret.length >= SHORTEST && !isCommon(secret, plain))
      .map((secret) => ({ name, value: secret })),
  );
}

function valuesOf(name: string, value: string): string[] {
  const isNamed = SECRET_NAME.test(name) && !NO_SECRET_NAME.test(name);
  return [...(isNamed ? [value.trim()] : []), ...credentialsIn(value)];
}

/** `scheme://user:password@host`, and a token in the place of the user. */
function credentialsIn(value: string): string[] {
  const found: string[] = [];
  for (const [, user = '', password] of value.matchAll(
    /[a-z][a-z0-9+.-]*:\/\/([^/:@\s]*)(?::([^/@\s]+))?@/gi,
  )) {
    const secret = password ?? (isToken(user) ? user : '');
    // A token may stand in either place (`https://token:x-oauth-basic@host`).
    found.push(secret, decoded(secret), ...(isToken(user) ? [user] : []));
  }
  return [...new Set(found)];
}

const isToken = (user: string) => user.length >= 20 && /\d/.test(user);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign of its own.
    return text;
  }
}

/** True for what a text holds by itself: replacing it would spoil what people read, and hide nothing. */
function isCommon(value: string, plain: string): boolean {
  const lower = value.toLowerCase();
  if (COMMON.has(lower) || plain.toLowerCase().includes(lower)) return true;
  if (/^(.)\1*$/s.test(value) || /^<[^>]*>$|^\$\{?\w+\}?$/.test(value)) return true;
  return /^(?:~|\.\.?)?\//.test(value) && (!value.startsWith('/') || existsSync(value));
}

const ENV_FILE = /^\.env(?:\..+)?$/;
/** These are for everybody to read. */
const NO_ENV_FILE = /\.(?:example|sample|template|dist|defaults?|schema|vault)$/;
const MOST_ENV_BYTES = 256 * 1024;

/** The variables of the `.env` files in a folder; what cannot be read holds none. */
export function dotEnv(dir: string): Record<string, string> {
  return Object.assign({}, ...envFiles(dir).map((name) => variablesOf(textOf(join(dir, name)))));
}

function envFiles(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => ENV_FILE.test(name) && !NO_ENV_FILE.test(name));
  } catch {
    // No folder, so no files.
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, MOST_ENV_BYTES);
  } catch {
    // A folder of that name, or no permission: then checks cannot read it either.
    return '';
  }
}

function variablesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const line = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^#\r\n]*))/gm;
  for (const [, name = '', double, single, bare] of text.matchAll(line)) {
    found[name] = double?.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1') ?? single ?? bare?.trim() ?? '';
  }
  return found;
}

/** Texts under names, wherever they stand in the options of a plug-in. */
export function textsIn(options: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  const seen = new Set<unknown>();
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string') found[name] = inner;
      else walk(inner);
    }
  };
  walk(options);
  return found;
}
