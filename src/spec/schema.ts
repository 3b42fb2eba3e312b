import { z } from 'zod';
import { criteria } from './criteria.ts';
import {
  amount,
  closed,
  count,
  freeMap,
  label,
  list,
  milliseconds,
  oneOf,
  open,
  path,
  text,
} from './fields.ts';

/**
 * The one table of keys of a `.loop.yaml`: types, defaults and meaning. The
 * JSON Schema and `docs/spec.md` are made from it.
 */

/** Keys whose inside is free, so that unknown keys and `x-` keys in it stand. */
export const FREE_KEYS = ['task', 'stack', 'options'] as const;

/** Of a check that names none. */
export const DEFAULT_CHECK_TIMEOUT_MS = 600_000;

const LATER = 'Not available in this version:';

const reaction = () => oneOf('error', 'revert', 'warn', 'off');
const globs = () => list(path('a glob'), 'a list of globs');
const options = () => freeMap().default({});

const task = open({
  type: label()
    .default('function')
    .describe(
      'Prompt scaffolding: `function`, `api`, `webapp`, `experiment` or `generic`. An unknown type is taken as `generic`, with a notice.',
    ),
})
  .prefault({})
  .describe('What kind of work it is. Other keys are free and are told to the agent.');

const stack = open({
  language: text().exactOptional().describe('For example `typescript` or `python`.'),
  framework: text().exactOptional().describe('For example `react` or `fastapi`.'),
  packageManager: text().exactOptional().describe('For example `npm` or `uv`.'),
})
  .prefault({})
  .describe('What the code is written with. Other keys are free and are told to the agent.');

const workspace = closed({
  dir: path()
    .default('.')
    .describe(
      'The folder that the agent edits, relative to the spec file or to `--base`. Made when missing.',
    ),
  mode: oneOf('in-place', 'copy', 'worktree')
    .default('in-place')
    .describe(
      'Where the agent works: in the folder itself, or in a copy of it. `fix` and `tdd` use a copy. `worktree` is not available in this version.',
    ),
  snapshot: oneOf('none', 'git')
    .default('none')
    .describe(
      '`git` is meant to write checkpoint refs under `refs/loopgen/<run>/`; this version accepts it, says so, and writes none.',
    ),
  ignore: globs()
    .default([])
    .describe(
      'Paths that do not count as work, beside the built-in artefacts (logs, caches, coverage, build output, `node_modules`, …).',
    ),
  revert: oneOf('never', 'unusable', 'regression')
    .exactOptional()
    .describe(
      'What undoes an iteration: nothing, checks that can no longer run, or those and a loss of passing tests. Default: by driver, `never` for agents and `regression` for one-shot proposers. The next prompt says what was undone and why.',
    ),
})
  .prefault({})
  .describe('The files that the agent works on.');

const driver = closed(
  {
    uses: label('the name of a driver').describe('Name of the driver; `loopgen list drivers` shows them.'),
    options: options().describe("The driver's own options."),
    session: oneOf('resume', 'fresh')
      .default('resume')
      .describe('Whether a turn goes on with the session of the last one, where the agent can.'),
  },
  'a mapping with uses (the name of a driver)',
).describe('The agent.');

const evaluator = closed(
  {
    uses: label('the name of an evaluator').describe(
      'Name of the evaluator; `loopgen list evaluators` shows them.',
    ),
    as: label().exactOptional().describe('The name of this check, unique in the spec. Default: `uses`.'),
    options: options().describe(
      "The evaluator's own options. `timeoutMs` in the options of `command` is the same as `timeoutMs` beside them; both together are an error.",
    ),
    guard: list(path('a path or glob'), 'a list of paths')
      .default([])
      .describe(
        'Files that judge, beside those that are found in the command: the agent must not touch them.',
      ),
    // Its default is filled in by `build.ts`, which has to know whether the file has it.
    timeoutMs: milliseconds()
      .exactOptional()
      .meta({ description: 'The whole time of the check.', default: DEFAULT_CHECK_TIMEOUT_MS }),
    holdout: list(
      closed({
        from: path().describe('A file or folder outside the workspace.'),
        to: path().describe('Where it stands while checks run.'),
      }),
      'a list of { from, to }',
    )
      .exactOptional()
      .describe(`${LATER} files that are in the workspace only while checks run.`),
    knownFailures: z
      .union([z.literal('baseline'), z.array(label('the id of a test'))], {
        error: 'baseline or a list of test ids',
      })
      .exactOptional()
      .describe(
        "Tests that were red before and are nobody's task: `baseline` for all that were, or their ids. They may stay red; a test that was green may not. See docs/checks.md.",
      ),
  },
  'a mapping with uses (the name of an evaluator)',
);

const limits = closed({
  maxIterations: count().default(5).describe('The last resort: how many turns the agent gets.'),
  patience: count()
    .default(3)
    .describe('How many iterations may share one failure before the run ends `no-progress`. `fix` uses 2.'),
  iterationTimeoutMs: milliseconds()
    .exactOptional()
    .describe('One turn of the agent; checks have clocks of their own. Default: no limit.'),
  idleTimeoutMs: milliseconds().exactOptional().describe('Silence of the agent. Default: no limit.'),
  maxDurationMs: milliseconds()
    .exactOptional()
    .describe('The whole run; waiting for a usage limit counts. Default: no limit.'),
  maxCostUsd: amount()
    .exactOptional()
    .describe(
      'Cost of all turns together, in US dollars; a green iteration wins over it. Default: no limit.',
    ),
  maxTokens: count()
    .exactOptional()
    .describe(
      'Input and output tokens of all turns together; a green iteration wins over it. Default: no limit.',
    ),
  unknownUsage: oneOf('stop', 'ignore')
    .default('stop')
    .describe('What follows where a cost or token limit is set and the driver does not say what it used.'),
  baseline: oneOf('strict', true, false)
    .default('strict')
    .describe(
      'The checks before any work. `strict`: green there ends the run `baseline-vacuous`. `true`: green there is a caveat. `false`: they do not run.',
    ),
  baselineRuns: count().default(1).describe('How often the checks run before any work.'),
  specGuard: reaction()
    .default('error')
    .describe(
      'What follows when the agent edits this spec; see "Guards" below. `fix` and `tdd` use `revert`.',
    ),
  evaluatorGuard: reaction()
    .default('error')
    .describe('The same for files that the checks rest on. `fix` and `tdd` use `revert`.'),
  confirm: oneOf('room', 'rerun', 'off')
    .default('room')
    .describe(
      'How a green is tried again. `room`: checks run in a tree of their own, and a green is tried in a fresh one. `rerun`: checks run in the workspace, and once more. `off`: in the workspace, once; the grade is `unproven`.',
    ),
  confirmRuns: count()
    .default(1)
    .describe('How often a green is tried again. With 2 or more, rooms that disagree end the run `flaky`.'),
  suspicion: oneOf('warn', 'error', 'off')
    .default('warn')
    .describe(
      'What follows when the patch of a green holds constructs that make a judge blind: `warn` names each with file and line, `error` takes the green back; see docs/trust.md.',
    ),
})
  .prefault({})
  .describe('When to stop, and how strict to be.');

const observer = closed(
  {
    uses: label('the name of an observer').describe(
      'Name of the observer; `loopgen list observers` shows them.',
    ),
    as: label().exactOptional().describe('Its name in messages, unique in the spec. Default: `uses`.'),
    options: options().describe(
      "The observer's own options. Relative files lie beside the spec and never count as the agent's change.",
    ),
  },
  'a mapping with uses (the name of an observer)',
);

const observers = list(observer, 'a list of observers');

export const specFile = closed(
  {
    $schema: z
      .string({ error: 'text' })
      .exactOptional()
      .describe('Address of the JSON Schema, for editors; not read.'),
    version: oneOf(1).default(1).describe('Version of the format.'),
    name: label().describe('Name of the loop, for reports.'),
    description: text().exactOptional().describe('What it is about, put in the first prompt.'),
    requirements: text().describe('What is to be done, in full: the agent reads it in every turn.'),
    task,
    stack,
    workspace,
    setup: list(text('a command'), 'a list of commands')
      .default([])
      .describe(
        'Commands that install the dependencies: run once in a fresh copy that lacks them, and in a fresh room where they changed.',
      ),
    driver,
    escalate: list(
      closed({
        after: list(oneOf('no-progress', 'gave-up', 'driver-failed'), 'a list of outcomes')
          .min(1, { error: 'a list of at least one outcome' })
          .describe('The ends of a run at which this driver takes over.'),
        driver,
      }),
      'a list of { after, driver }',
    )
      .default([])
      .describe(
        'A ladder of drivers: where the run would end with one of the outcomes in `after`, the next driver that names it takes over, inside the same limits. See docs/drivers.md.',
      ),
    evaluators: list(evaluator, 'a list of checks')
      .min(1, { error: 'a list of at least one check' })
      .describe('The checks. They decide.'),
    success: criteria
      .default({ type: 'all-pass' })
      .describe('What makes the run a success; see "Success" below.'),
    protect: globs().default([]).describe('More paths that the agent must not touch.'),
    allow: globs()
      .default([])
      .describe(
        'Paths that it may touch although a rule would guard them; its versions go into the room too, and the grade is `plausible` at most.',
      ),
    limits,
    evaluation: closed({
      concurrency: count().default(1).describe('Checks at a time.'),
      network: oneOf('on', 'off')
        .default('on')
        .describe(
          'Network of the checks. `off` holds it back in a room that bubblewrap binds; elsewhere the report says that it was there.',
        ),
    })
      .prefault({})
      .describe('How checks run.'),
    env: closed({
      pass: list(
        z
          .string({ error: 'the name of a variable' })
          .regex(/^[^\s=\0]+$/, { error: 'the name of a variable' }),
        'a list of names of variables',
      )
        .default([])
        .describe('Variables of the environment that agent and checks get beside the allow-list.'),
    })
      .prefault({})
      .describe('The environment of agent and checks.'),
    observability: closed({
      observers: observers.default([]).describe('What watches the run.'),
    })
      .prefault({})
      .describe("The run's telemetry."),
    checkValidation: closed({
      manifest: path().describe('A `.checks.yaml` file.'),
    })
      .exactOptional()
      .describe(`${LATER} a gate on validated checks.`),
    prompts: closed({
      system: text().exactOptional().describe('In place of the system prompt.'),
      initial: text().exactOptional().describe('In place of the first prompt.'),
      iteration: text()
        .exactOptional()
        .describe('In place of the prompt of later turns; what still fails follows it.'),
    })
      .prefault({})
      .describe('Override the generated prompts.'),
    candidates: count().default(1).describe(`${LATER} best of so many attempts. Only 1 is accepted.`),
  },
  'a mapping of keys (name, requirements, driver, evaluators, …)',
);

/** A spec file as it was read, with the defaults of the file format. */
export type SpecFile = z.output<typeof specFile>;

/** Keys of `loopgen.config.{json,yaml}` and of `loopgen` in a `package.json`. */
export const configFile = closed({
  $schema: z
    .string({ error: 'text' })
    .exactOptional()
    .describe('Address of a JSON Schema, for editors; not read.'),
  driver: driver.exactOptional().describe('The default driver and its options.'),
  stateDir: path()
    .exactOptional()
    .describe('Folder for the records of runs, relative to the configuration file; `~/` is the home.'),
  observers: observers.exactOptional().describe('Observers of every run.'),
});
