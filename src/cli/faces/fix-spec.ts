import { basename } from 'node:path';
import type { DetectedTests } from '../../core/runners/detect.ts';
import type { DriverSpec, Spec } from '../../core/spec.ts';
import { parseSpec } from '../../spec/parse.ts';

/** What `fix` never lets an agent touch, whatever the project is. */
export const FIX_PROTECTS: readonly string[] = [
  'tests/**',
  '**/tests/**',
  '**/test/**',
  '**/__tests__/**',
  'test_*.py',
  '*_test.py',
  '*_test.go',
  '*.test.*',
  '*.spec.*',
  'conftest.py',
  '.git/**',
  'pyproject.toml',
  'setup.cfg',
  'pytest.ini',
  'tox.ini',
];

export interface FixOptions {
  /** Absolute. */
  readonly dir: string;
  readonly task?: string;
  /** Command lines of `--check`; else what was found. */
  readonly checks: readonly string[];
  readonly found?: DetectedTests;
  readonly driver: Pick<DriverSpec, 'uses' | 'options'>;
  readonly maxAttempts: number;
  readonly patience: number;
  /** Seconds, one run of a check. */
  readonly timeout: number;
  readonly revert: boolean;
  readonly inPlace: boolean;
}

const TASK =
  'The checks of this project fail. Find the cause in the source and mend it there. The tests are right and stay as they are.';

/** A red project as a spec: below the command line it is a loop like any other. */
export function fixSpec(options: FixOptions): Spec {
  const lines = options.checks.length > 0 ? options.checks : options.found ? [options.found.command] : [];
  return parseSpec({
    version: 1,
    name: `fix-${basename(options.dir)}`,
    requirements: options.task ?? TASK,
    task: { type: 'generic' },
    workspace: {
      dir: options.dir,
      mode: options.inPlace ? 'in-place' : 'copy',
      ...(!options.revert && { revert: 'never' }),
    },
    driver: options.driver,
    evaluators: lines.map((command, index) => ({
      uses: 'command',
      as: lines.length === 1 ? 'tests' : `check-${index + 1}`,
      options: { command },
      timeoutMs: Math.round(options.timeout * 1000),
    })),
    limits: {
      maxIterations: options.maxAttempts,
      patience: options.patience,
      specGuard: 'revert',
      evaluatorGuard: 'revert',
    },
  });
}
