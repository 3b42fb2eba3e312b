import { access, constants, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Check, UnusableCause } from '../core/check.ts';
import { messageOf } from '../core/error.ts';
import type { Event, Proposal, StopReason } from '../core/event.ts';
import { FACE_WORDS, type Outcome } from '../core/outcome.ts';
import type { Observer } from '../core/plugin.ts';
import { writeAtomically } from '../system/files.ts';
import { firstFailure, tailOf } from './first-failure.ts';

export interface ArtefactsOptions {
  /** Absolute; made when missing. Artefacts of an earlier run in it are replaced. */
  readonly dir: string;
  /** As the user named it, for the summary. */
  readonly challenge: string;
  readonly model: string;
  readonly maxAttempts: number;
  /** The file of a proposal that `code` and `attempt_NN.py` hold. Default `solution.py`. */
  readonly solution?: string;
}

/** `attempt_NN.json`, and an entry of `attempts` in `summary.json`. */
export interface Attempt {
  /** From 1. */
  readonly n: number;
  /** When it was judged; ISO 8601, UTC. */
  readonly timestamp: string;
  readonly reasoning: string;
  /** Empty where the reply held none; `problem` says why. */
  readonly code: string;
  readonly result: AttemptResult;
  readonly status: 'pass' | 'fail' | 'unusable';
  readonly cause: UnusableCause | null;
  readonly problem?: string;
  /** False where a green did not hold when it was tried again. */
  readonly confirmed?: boolean;
}

/** A suite that could not run counts as one failed test of one; `status` and `cause` tell it apart. */
export interface AttemptResult {
  readonly passed: number;
  readonly failed: number;
  readonly total: number;
  readonly duration_s: number;
  readonly output_tail: string;
  readonly first_traceback: string | null;
}

/** `summary.json`. `final_status` and `ended_at` are null while the run goes on. */
export interface Summary {
  readonly challenge: string;
  readonly model: string;
  readonly max_attempts: number;
  readonly attempts: readonly Attempt[];
  readonly final_status: 'solved' | 'exhausted' | 'error' | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

/** `20260428T022050Z-04_lru_cache`: the default folder of a challenge's artefacts, under `runs/`. */
export function artefactsDirName(at: Date, challenge: string): string {
  const stamp = at.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${stamp}-${basename(challenge)}`;
}

/** Writes `attempt_NN.py`, `attempt_NN.json` and `summary.json` as they happen. */
export function artefactsObserver(options: ArtefactsOptions): Observer {
  const recorder = new Recorder(options);
  return {
    name: 'artefacts',
    files: [options.dir],
    preflight: () => missingFolder(options.dir),
    onEvent: (event) => recorder.onEvent(event),
  };
}

async function missingFolder(dir: string): Promise<string[]> {
  try {
    await mkdir(dir, { recursive: true });
    await access(dir, constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    return [`attempts cannot be written to ${dir}: ${messageOf(error)}; name another folder`];
  }
}

/** The turn that is not judged yet. */
interface Open {
  readonly n: number;
  readonly proposal?: Proposal | undefined;
  readonly problem?: string | undefined;
  readonly stopReason?: StopReason;
  readonly checks: readonly Check[];
}

class Recorder {
  readonly #options: ArtefactsOptions;
  #summary: Summary;
  #open: Open | undefined;
  #prepared = false;

  constructor(options: ArtefactsOptions) {
    this.#options = options;
    this.#summary = {
      challenge: options.challenge,
      model: options.model,
      max_attempts: options.maxAttempts,
      attempts: [],
      final_status: null,
      started_at: '',
      ended_at: null,
    };
  }

  async onEvent(event: Event): Promise<void> {
    switch (event.type) {
      case 'run.started':
        this.#summary = { ...this.#summary, started_at: isoOf(event) };
        return;
      case 'iteration.started':
        this.#open = { n: event.iteration + 1, checks: [] };
        return await this.#writeSummary();
      case 'agent.finished':
        return await this.#turnEnded(event);
      case 'check.finished':
        if (this.#open && event.phase === 'iteration') {
          this.#open = { ...this.#open, checks: [...this.#open.checks, event.check] };
        }
        return;
      case 'iteration.judged':
        return await this.#judged(isoOf(event), event.verdict.status);
      case 'confirmation.judged':
        return event.verdict.status === 'pass' ? undefined : await this.#unconfirmed();
      case 'run.finished':
        return await this.#finished(isoOf(event), event.outcome);
    }
  }

  async #turnEnded({ result }: Extract<Event, { type: 'agent.finished' }>): Promise<void> {
    if (!this.#open) return;
    const { proposal, problem, stopReason } = result;
    this.#open = { ...this.#open, proposal, problem, stopReason };
    if (proposal) await writeFile(this.#path(this.#open.n, 'py'), this.#codeOf(proposal));
  }

  /** A turn that brought no reply at all (the model could not be reached, nothing left to try) is no attempt. */
  async #judged(timestamp: string, status: Attempt['status']): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (!open || (!open.proposal && open.problem === undefined)) return;
    const decisive = open.checks.find((check) => check.status !== 'pass') ?? open.checks[0];
    await this.#writeAttempt({
      n: open.n,
      timestamp,
      reasoning: open.proposal?.reasoning ?? '',
      code: open.proposal ? this.#codeOf(open.proposal) : '',
      result: resultOf(open.checks),
      status,
      cause: decisive?.cause ?? null,
      ...(open.problem !== undefined && { problem: open.problem }),
    });
  }

  async #unconfirmed(): Promise<void> {
    const last = this.#summary.attempts.at(-1);
    if (last?.status === 'pass') await this.#writeAttempt({ ...last, confirmed: false });
  }

  async #finished(at: string, outcome: Outcome): Promise<void> {
    // A proposal that was still to be judged when the run was stopped is kept all the same.
    if (this.#open?.proposal) await this.#judged(at, 'unusable');
    this.#summary = { ...this.#summary, final_status: finalStatus(outcome), ended_at: at };
    await this.#writeSummary();
  }

  async #writeAttempt(attempt: Attempt): Promise<void> {
    const earlier = this.#summary.attempts.filter((other) => other.n !== attempt.n);
    this.#summary = { ...this.#summary, attempts: [...earlier, attempt] };
    await writeAtomically(this.#path(attempt.n, 'json'), jsonOf(attempt));
    await this.#writeSummary();
  }

  async #writeSummary(): Promise<void> {
    if (!this.#prepared) {
      this.#prepared = true;
      await prepare(this.#options.dir);
    }
    await writeAtomically(join(this.#options.dir, 'summary.json'), jsonOf(this.#summary));
  }

  #path(n: number, ending: 'py' | 'json'): string {
    return join(this.#options.dir, `attempt_${String(n).padStart(2, '0')}.${ending}`);
  }

  #codeOf({ files }: Proposal): string {
    const named = files.find((file) => file.path === (this.#options.solution ?? 'solution.py'));
    return (named ?? files[0])?.content ?? '';
  }
}

/** Attempts of an earlier run would be taken for this one's. */
async function prepare(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  const stale = (await readdir(dir)).filter((name) => /^attempt_\d+\.(py|json)$/.test(name));
  for (const name of stale) await rm(join(dir, name));
}

function resultOf(checks: readonly Check[]): AttemptResult {
  const seconds = checks.reduce((sum, check) => sum + check.durationMs, 0) / 1000;
  const feedback = checks.map((check) => check.feedback).join('\n');
  const unusable = checks.length === 0 || checks.some((check) => check.status === 'unusable');
  const counts = unusable ? { passed: 0, failed: 1, total: 1 } : countsOf(checks);
  return {
    ...counts,
    duration_s: seconds,
    output_tail: tailOf(feedback, TAIL_CHARS),
    first_traceback: firstFailure(checks) ?? null,
  };
}

/** Skipped tests are in the total, but neither passed nor failed. A check without tests counts as one. */
function countsOf(checks: readonly Check[]): { passed: number; failed: number; total: number } {
  const sum = { passed: 0, failed: 0, total: 0 };
  for (const { tests, status } of checks) {
    sum.passed += tests ? tests.passed : Number(status === 'pass');
    sum.failed += tests ? tests.failing.length : Number(status !== 'pass');
    sum.total += tests ? tests.total : 1;
  }
  return sum;
}

const TAIL_CHARS = 2048;
const finalStatus = (outcome: Outcome) => FACE_WORDS[outcome.kind].tdd as 'solved' | 'exhausted' | 'error';

const isoOf = (event: Event) => new Date(event.at).toISOString();

const jsonOf = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
