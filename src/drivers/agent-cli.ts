import type { Environment, OptionsSchema, PreflightContext } from '../core/plugin.ts';
import type { Note } from './agent-notes.ts';
import type { CliOptions } from './agent-options.ts';
import type { ProgramFacts } from './agent-program.ts';
import type { Advice } from './agent-result.ts';
import type { Fields } from './fields.ts';

/** All that is particular to one agent that has a command line and prints its events as JSON lines. */
export interface AgentCli<Options extends CliOptions> extends ProgramFacts, Pick<Advice, 'allow'> {
  /** The driver's name. */
  readonly name: string;
  readonly description: string;
  readonly options: OptionsSchema<Options>;
  /** Variables that hold its keys and its settings. */
  readonly keys: readonly string[];
  readonly prompt: {
    readonly by: 'stdin' | 'file';
    /** Bytes; of a longer prompt it is told where it lies. */
    readonly longest?: number;
  };
  /** Variables for the process, beside those of the turn, which are given. */
  environment?(options: Options, env: Environment): Environment;
  args(call: Call<Options>): readonly string[];
  /** What an event says. Pure. */
  read(event: Fields): readonly Note[];
  /** `false` where the agent tells no usage at all, so that cost and token limits are refused. Default: true. */
  readonly reportsUsage?: boolean;
  /** What is to be read once the process has ended. */
  report?(call: Call<Options>): Promise<readonly Note[]>;
  /** True where a new session gets the id of `Call.session.start`. */
  readonly namesSessions?: boolean;
  /** What it says of a session that it does not know (any more). */
  readonly unknownSession: RegExp;
  /** What keeps this model from being reached. What might is told by `context.warn`. */
  missing?(context: PreflightContext<Options>): Promise<readonly string[]>;
}

/** One start of the program. */
export interface Call<Options> {
  readonly options: Options;
  /** A session to go on with, or the id for a new one, which not every agent takes. */
  readonly session: { readonly resume: string } | { readonly start: string };
  /** Where the prompt lies, with `prompt.by: file`. */
  readonly promptFile: string;
  /** An empty folder of the driver's own; the same in all turns of a run. */
  readonly scratch: string;
}
