/** Where a tool keeps what it installed or fetched. */
export interface ToolHome {
  readonly variable: string;
  /** Where it is when the variable is not set, relative to the user's home. Undefined: nowhere. */
  readonly place?: string;
  /** `private`: the tool writes there as it works, so whoever must not disturb others gets a copy. */
  readonly access: 'read-only' | 'private';
}

const readOnly = (variable: string, place?: string): ToolHome => home(variable, 'read-only', place);
const writable = (variable: string, place?: string): ToolHome => home(variable, 'private', place);

function home(variable: string, access: ToolHome['access'], place?: string): ToolHome {
  return place === undefined ? { variable, access } : { variable, access, place };
}

/** Every tool home that agents and checks are told of. */
export const TOOL_HOMES: readonly ToolHome[] = [
  readOnly('PYENV_ROOT', '.pyenv'),
  readOnly('PYTHONUSERBASE', '.local'),
  readOnly('VIRTUAL_ENV'),
  readOnly('CONDA_PREFIX'),
  readOnly('PIPX_HOME', '.local/share/pipx'),
  readOnly('UV_PYTHON_INSTALL_DIR', '.local/share/uv/python'),
  writable('UV_CACHE_DIR', '.cache/uv'),
  writable('PIP_CACHE_DIR', '.cache/pip'),
  writable('POETRY_CACHE_DIR', '.cache/pypoetry'),
  readOnly('NVM_DIR', '.nvm'),
  readOnly('FNM_DIR', '.local/share/fnm'),
  readOnly('VOLTA_HOME', '.volta'),
  readOnly('N_PREFIX'),
  readOnly('BUN_INSTALL', '.bun'),
  readOnly('PNPM_HOME', '.local/share/pnpm'),
  readOnly('COREPACK_HOME', '.cache/node/corepack'),
  writable('npm_config_cache', '.npm'),
  writable('YARN_CACHE_FOLDER'),
  writable('DENO_DIR', '.cache/deno'),
  readOnly('PLAYWRIGHT_BROWSERS_PATH', '.cache/ms-playwright'),
  readOnly('PUPPETEER_CACHE_DIR', '.cache/puppeteer'),
  readOnly('CYPRESS_CACHE_FOLDER', '.cache/Cypress'),
  readOnly('RUSTUP_HOME', '.rustup'),
  writable('CARGO_HOME', '.cargo'),
  writable('SCCACHE_DIR', '.cache/sccache'),
  writable('CCACHE_DIR', '.cache/ccache'),
  readOnly('GOROOT'),
  readOnly('GOPATH', 'go'),
  readOnly('GOMODCACHE', 'go/pkg/mod'),
  writable('GOCACHE', '.cache/go-build'),
  readOnly('JAVA_HOME'),
  readOnly('SDKMAN_DIR', '.sdkman'),
  readOnly('M2_HOME'),
  readOnly('MAVEN_HOME'),
  writable('MAVEN_USER_HOME', '.m2'),
  readOnly('GRADLE_HOME'),
  writable('GRADLE_USER_HOME', '.gradle'),
  readOnly('ANDROID_HOME'),
  readOnly('ANDROID_SDK_ROOT'),
  readOnly('DOTNET_ROOT'),
  writable('DOTNET_CLI_HOME'),
  writable('NUGET_PACKAGES', '.nuget/packages'),
  readOnly('RBENV_ROOT', '.rbenv'),
  readOnly('GEM_HOME', '.gem'),
  readOnly('GEM_PATH'),
  writable('COMPOSER_HOME', '.composer'),
  writable('COMPOSER_CACHE_DIR', '.cache/composer'),
  writable('MIX_HOME', '.mix'),
  writable('HEX_HOME', '.hex'),
  readOnly('ASDF_DIR', '.asdf'),
  readOnly('ASDF_DATA_DIR', '.asdf'),
  readOnly('MISE_DATA_DIR', '.local/share/mise'),
  readOnly('HOMEBREW_PREFIX'),
  readOnly('NIX_PROFILES'),
];
