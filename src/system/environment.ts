import { TOOL_HOMES } from './tool-homes.ts';

type Source = Readonly<Record<string, string | undefined>>;

/** What a program needs to find itself, its language and the network. */
const BASICS: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'TMPDIR'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'],
];
const PROXIES: readonly string[] = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];
const CERTIFICATES: readonly string[] = [
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['PIP_CERT', 'GIT_SSL_CAINFO', 'CARGO_HTTP_CAINFO', 'AWS_CA_BUNDLE'],
];

const ALLOWED: ReadonlySet<string> = new Set([
  ...BASICS,
  ...PROXIES,
  ...PROXIES.map((name) => name.toLowerCase()),
  ...CERTIFICATES,
  ...TOOL_HOMES.map((home) => home.variable),
]);

/**
 * The variables of `source` that agents and checks may see: the allow-list, all `LC_*`, and the names in `pass`.
 * Values come through as they are. What is not listed (`PYTEST_ADDOPTS`, `NODE_OPTIONS`, `BASH_ENV`, keys) does not.
 */
export function allowedEnvironment(source: Source, pass: readonly string[]): Record<string, string> {
  const passed = new Set(pass);
  const isAllowed = (name: string) => ALLOWED.has(name) || name.startsWith('LC_') || passed.has(name);
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      value !== undefined && isAllowed(name) ? [[name, value] as const] : [],
    ),
  );
}

/** Keeps tools from asking a person, from watching for changes, and from keeping back what they print. */
const UNATTENDED: Readonly<Record<string, string>> = {
  CI: '1',
  TERM: 'dumb',
  PYTHONUNBUFFERED: '1',
  // Python takes bytecode for fresh where the source has the same size and the same second as when it was compiled,
  // and a turn may be that quick: without it a check would judge the code of the turn before.
  PYTHONDONTWRITEBYTECODE: '1',
  PIP_NO_INPUT: '1',
  npm_config_yes: 'true',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
};

/**
 * The environment of a check: `CI=1` and the like, then `env`, whose values win. So `CI` has another value only
 * where somebody passed it by name.
 */
export function checkEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return { ...UNATTENDED, ...env };
}

/** Names that projects configure themselves by: services, search paths, modes, keys. */
const RELEVANT: readonly RegExp[] = [
  /(?:^|_)(?:URL|URI|DSN|HOST|PORT|ENDPOINT|REGISTRY|REGION|ENV|PATH|OPTS|OPTIONS|FLAGS|ADDOPTS|INDEX)$/i,
  /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)/i,
  /^(?:DATABASE|DB|PG|POSTGRES|MYSQL|MARIADB|REDIS|MONGO|SQLITE|KAFKA|RABBITMQ|ELASTIC)(?:_|[A-Z]|$)/,
  /^(?:AWS|AZURE|GCP|GOOGLE|DOCKER|KUBE|DJANGO|FLASK|RAILS|RACK|LARAVEL|SPRING|APP|TEST)_/,
  /^(?:PIP|UV|npm_config|YARN|CARGO|GO|PYTEST|PYTHON|NODE|JAVA|GRADLE|MAVEN|RUBY|BUNDLE)_?[A-Za-z]/,
  /^(?:CLASSPATH|RUSTFLAGS|RUBYLIB|PERL5LIB|DOTENV|CI)$/,
];

/** Set by shells, terminals, desktops and package managers for themselves. */
const NOISE =
  /^(?:_|BASH|PWD|OLDPWD|SHLVL|INFOPATH|MANPATH|DBUS_|SSH_|XDG_|GPG_|WINDOWID|DESKTOP_|LS_|npm_(?:lifecycle|package|command|node|execpath)|npm_config_(?:user_agent|globalconfig|global_prefix|init_module|local_prefix|node_gyp|noproxy|npm_version|prefix|userconfig)|NVM_|.*_(?:VERSION|SHA256)$|INIT_CWD|GOOGLE_CHROME|LOOPGEN_)/;

/**
 * Names, sorted, of set variables that a project could need but that are not in `env`. For messages such as
 * "set but not passed: DATABASE_URL"; values are never part of it.
 */
export function notPassed(source: Source, env: Readonly<Record<string, string>>): string[] {
  return Object.keys(source)
    .filter((name) => source[name] !== undefined && source[name] !== '' && !(name in env))
    .filter((name) => !NOISE.test(name) && RELEVANT.some((pattern) => pattern.test(name)))
    .sort();
}
