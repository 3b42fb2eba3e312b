import { LoopgenError } from '../core/error.ts';
import { exec } from '../system/exec.ts';

/** Runs git on repositories of our own, deaf to the user's settings. */
export interface Git {
  /** Runs in the store and returns what git printed. Throws where git fails. */
  run(args: readonly string[], keepBytes?: number): Promise<string>;
}

/** `env`: where PATH comes from. */
export function gitOf(store: string, env: Readonly<Record<string, string | undefined>>): Git {
  const gitEnv = {
    PATH: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: store,
    LC_ALL: 'C.UTF-8',
    GIT_DIR: store,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
  return {
    async run(args, keepBytes = 1 << 20) {
      const result = await exec({ file: 'git', args }, { cwd: store, env: gitEnv, keepBytes, alone: true });
      if (result.ended === 'exited' && result.code === 0) return result.stdout.text;
      if (result.ended === 'not-started') {
        throw new LoopgenError('git-missing', `git cannot be run: ${result.message}`, {
          hint: 'install git; loopgen keeps the changes of a run with it',
        });
      }
      const how = result.ended === 'exited' ? `exit ${result.code}` : result.ended;
      throw new Error(`git ${args[0]} failed in ${store} (${how}): ${result.stderr.text.trim()}`);
    },
  };
}
