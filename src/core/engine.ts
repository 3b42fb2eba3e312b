import { unrunnableBecause } from './baseline.ts';
import { isBest } from './best.ts';
import type { Check } from './check.ts';
import { unlessSuspicious } from './confirm.ts';
import { confirmationOf } from './confirmation.ts';
import { adviceOf, messageOf } from './error.ts';
import { escalationOf } from './escalation.ts';
import type { Event, Happening, Phase, RunStarted } from './event.ts';
import { gitWarnings } from './git-changes.ts';
import { type GuardRule, isPutBack, type Violation, violations } from './guard.ts';
import { emptyHistory, type History, record } from './history.ts';
import { exceptedIn, knownWarnings } from './known-failures.ts';
import { driverInTurn } from './ladder.ts';
import { checkAgainstLedger } from './ledger.ts';
import type { Outcome } from './outcome.ts';
import type { Judged, Ports } from './ports.ts';
import { reasonToRevert } from './recovery.ts';
import { type Report, reportOf } from './report.ts';
import type { Spec } from './spec.ts';
import { defaultPolicy, type StopPolicy } from './stop.ts';
import type { Suspicion } from './suspicion/row.ts';
import { tallyOf, type Verdict, verdictOf } from './verdict.ts';
import type { Snapshot, TreeChange } from './workspace.ts';

/** Characters of one turn's diff that events, and so prompts, carry. */
const DIFF_CHARS = 6_000;

export interface RunRequest {
  readonly runId: string;
  readonly spec: Spec;
  readonly start: Omit<RunStarted, 'type' | 'tree'>;
  readonly ports: Ports;
  /** The user's Ctrl-C. */
  readonly signal: AbortSignal;
  /** Default: `defaultPolicy(spec.limits)`. */
  readonly policy?: StopPolicy;
}

/** Brings one spec to an outcome: drive, guard, check, judge, recover, until a policy stops it. Never rejects. */
export async function runLoop({ runId, spec, start, ports, signal, policy }: RunRequest): Promise<Report> {
  const { workspace } = ports;
  const { limits } = spec;
  const decide = policy ?? defaultPolicy(limits);
  let history: History = emptyHistory;
  let seq = 0;
  let current: Snapshot = workspace.start;
  /** What the checks came to in the last fresh room, and of which files that was made. */
  let lastFresh: { readonly tree: string; readonly checks: readonly Check[] } | undefined;

  const emit = (happening: Happening): void => {
    const stamp = { runId, seq: seq++, at: ports.now(), elapsedMs: ports.elapsed() };
    const event: Event = { ...stamp, ...ports.redact(happening) };
    history = record(history, event);
    ports.notify(event);
  };
  const ruling = () => {
    if (signal.aborted && !history.aborted) emit({ type: 'run.aborted' });
    for (const message of ports.takeWarnings()) emit({ type: 'warned', message });
    const failure = ports.failure();
    if (failure !== undefined && history.failure === undefined)
      emit({ type: 'run.failed', message: failure });
    return decide({ ...history, elapsedMs: ports.elapsed() });
  };
  const timeLeft = (): { timeLeftMs?: number } =>
    limits.maxDurationMs === undefined ? {} : { timeLeftMs: limits.maxDurationMs - ports.elapsed() };

  emit({ type: 'run.started', ...start, tree: workspace.start.tree });
  for (const message of workspace.notices) emit({ type: 'warned', message });
  try {
    await checkFirst();
    if (!ruling()) await beforeWork();
    for (let iteration = 0; goesOn(); iteration++) await iterate(iteration);
  } catch (error) {
    emit({ type: 'run.failed', message: adviceOf(error) });
  }
  emit({ type: 'run.finished', outcome: lastWord() });
  return reportOf(history);

  /** Until a policy ends the run, and no other driver takes over. */
  function goesOn(): boolean {
    const outcome = ruling();
    if (!outcome) return true;
    const next = escalationOf(outcome, { ...history, elapsedMs: ports.elapsed() }, decide);
    if (next) emit(next);
    return next !== undefined;
  }

  /** How the run ends. A policy of the user's that throws is what ended it. */
  function lastWord(): Outcome {
    try {
      return ruling() ?? { kind: 'error', message: 'no policy ended the run' };
    } catch (error) {
      return { kind: 'error', message: messageOf(error) };
    }
  }

  /** What is missing; nothing where the user stopped the run meanwhile, for then what came back is no finding. */
  async function checkFirst(): Promise<void> {
    const errors = signal.aborted ? [] : await ports.preflight();
    emit({ type: 'preflight.finished', errors: signal.aborted ? [] : errors });
  }

  async function beforeWork(): Promise<void> {
    const obstacle = ports.obstacle();
    if (obstacle !== undefined) {
      const verdict: Verdict = { status: 'unusable', reason: obstacle, tally: tallyOf([]) };
      emit({ type: 'baseline.judged', verdict, unrunnable: obstacle });
    } else if (limits.baseline !== 'off') await baseline();
  }

  async function evaluate(phase: Phase, bound: { timeLeftMs?: number }): Promise<Judged> {
    // A test of the start that is lost is no pass, whatever the runner says.
    const held = (check: Check) =>
      phase === 'baseline' ? check : checkAgainstLedger(check, atBaseline(check));
    const judged = await workspace.whileChecking(() =>
      ports.evaluate({
        phase,
        at: current,
        changes: workspace.changes(workspace.start, current),
        ...bound,
        started: (name) => emit({ type: 'check.started', phase, name }),
        finished: (check) => emit({ type: 'check.finished', phase, check: held(check) }),
      }),
    );
    if (spec.evaluation.network === 'off' && judged.room?.kind !== 'bound') warnOnce(NETWORK_IS_THERE);
    const checks = judged.checks.map(held);
    const hasBaseline = history.baseline?.verdict !== undefined;
    for (const message of knownWarnings(spec.evaluators, checks, phase, hasBaseline)) warnOnce(message);
    return { ...judged, checks };
  }

  function inRoom(): boolean {
    const room = history.baseline?.room;
    return room !== undefined && room.kind !== 'workspace';
  }

  function warnOnce(message: string): void {
    if (!history.warnings.includes(message)) emit({ type: 'warned', message });
  }

  function atBaseline({ name }: Check): Check | undefined {
    return history.baseline?.checks.find((check) => check.name === name);
  }

  /** The checks before any work, as often as asked; the first round that is not green counts. */
  async function baseline(): Promise<void> {
    emit({ type: 'baseline.started' });
    let judged: Judged | undefined;
    let verdict: Verdict | undefined;
    const goesOn = () => !signal.aborted && (verdict === undefined || verdict.status === 'pass');
    for (let run = 0; run < limits.baselineRuns && goesOn(); run++) {
      judged = await evaluate('baseline', timeLeft());
      verdict = verdictOf(spec.success, judged.checks);
    }
    if (!judged || !verdict || signal.aborted) return;
    const { checks, room } = judged;
    const because = unrunnableBecause(spec.success, checks, start.face);
    const unrunnable =
      because === undefined ? undefined : [because, ports.unusableHint()].filter(Boolean).join('\n');
    emit({
      type: 'baseline.judged',
      verdict,
      ...(unrunnable !== undefined && { unrunnable }),
      ...(room && { room }),
    });
    if (verdict.status === 'pass') greenBeforeWork(checks);
  }

  function greenBeforeWork(checks: readonly Check[]): void {
    if (exceptedIn(checks) > 0) warnOnce(ALL_KNOWN);
    if (limits.baseline === 'warn')
      emit({ type: 'warned', message: 'the checks pass before any work (baseline: true)' });
  }

  async function iterate(iteration: number): Promise<void> {
    const past = history;
    emit({ type: 'iteration.started', iteration, driver: driverInTurn(history).driver });
    const before = current;
    await drive(iteration, past);
    await look(iteration, before);
    if (signal.aborted) return;

    // Time that ran out during the turn does not keep its work from being judged: a green wins.
    const left = timeLeft();
    const { checks, keptOut } = await evaluate('iteration', (left.timeLeftMs ?? 1) > 0 ? left : {});
    if (signal.aborted) return;
    const judged = verdictOf(spec.success, checks);
    // A green that is tried again is read then.
    const found = limits.confirm === 'off' && judged.status === 'pass' ? suspicions() : undefined;
    emit({
      type: 'iteration.judged',
      iteration,
      verdict: limits.suspicion === 'error' ? unlessSuspicious(judged, found) : judged,
      ...(keptOut.length > 0 && { keptOut }),
      ...(found && { suspicions: found }),
    });
    await confirm(iteration);
    await keepBest(iteration);
    await recover(iteration, before);
  }

  /** `past`: what was known before this iteration began, since the prompt is made of it. */
  async function drive(iteration: number, past: History): Promise<void> {
    const began = ports.elapsed();
    const result = await ports.drive({
      iteration,
      history: past,
      ...timeLeft(),
      acted: (tool, input) =>
        emit({ type: 'agent.acted', iteration, tool, ...(input !== undefined && { input }) }),
      refused: (violation) => emit({ type: 'edit.refused', iteration, violation, putBack: true }),
    });
    emit({ type: 'agent.finished', iteration, result, durationMs: ports.elapsed() - began });
  }

  /** Sees what the turn left, puts back what it must not touch, and records the rest. */
  async function look(iteration: number, before: Snapshot): Promise<void> {
    current = await workspace.snapshot();
    await guard(iteration, before, ports.rules);
    const changes = workspace.changes(before, current);
    for (const message of gitWarnings(changes, inRoom())) emit({ type: 'warned', message });
    const changed = changes.filter(isWork);
    const total = workspace.changes(workspace.start, current).filter(isWork);
    // Side by side, since each is a process.
    const [turn, all] = await Promise.all(
      changed.length === 0
        ? [NO_DIFF]
        : [workspace.diff(before, current, DIFF_CHARS), workspace.diff(workspace.start, current, DIFF_CHARS)],
    );
    if (changed.length > 0) await savePatch(before, `iteration-${number(iteration)}.patch`);
    emit({
      type: 'tree.changed',
      iteration,
      tree: current.tree,
      changed: changed.map(plain),
      stat: turn.stat,
      diff: turn.patch,
      total: total.map(plain),
      totalStat: all?.stat ?? history.diffStat,
    });
  }

  /**
   * Only edits of this turn that differ from the start: what stands as at the start was put back or never touched.
   * What the checks themselves did to the judge is put back too, but nobody is blamed for it.
   */
  async function guard(iteration: number, before: Snapshot, rules: readonly GuardRule[]): Promise<void> {
    const differs = new Set(workspace.changes(workspace.start, current).map((change) => change.path));
    const changes = workspace.changes(before, current).filter((change) => differs.has(change.path));
    const found = violations(paths(changes, false), rules);
    const byChecks = violations(paths(changes, true), rules).filter(isPutBack);
    await putBack(iteration, [...found.filter(isPutBack), ...byChecks]);
    for (const violation of found)
      emit({ type: 'edit.refused', iteration, violation, putBack: isPutBack(violation) });
    for (const { path, because } of byChecks)
      emit({ type: 'warned', message: `${path} changed while the checks ran and was put back: ${because}` });
  }

  /** What changed since `from`, as a file of the records; gives its path. */
  async function savePatch(from: Snapshot, name: string, named?: readonly string[]): Promise<string> {
    const file = await workspace.savePatch(from, current, ports.recordFile(name), named);
    await ports.redactFile?.(file);
    return file;
  }

  async function putBack(iteration: number, undone: readonly Violation[]): Promise<void> {
    const undo = undone.map((violation) => violation.path);
    if (undo.length === 0) return;
    await savePatch(workspace.start, `refused-${number(iteration)}.patch`, undo);
    current = await workspace.restore(current, workspace.start, undo);
  }

  /** What of the patch can make a judge blind; undefined where nobody asks. */
  function suspicions(): readonly Suspicion[] | undefined {
    if (limits.suspicion === 'off') return undefined;
    return ports.suspicions(workspace.changes(workspace.start, current));
  }

  /** A green in which nobody touched what judges. */
  function mayBeConfirmed(): boolean {
    const last = history.iterations.at(-1);
    const touched = last?.refused.some((refusal) => refusal.reaction === 'error');
    return last?.verdict?.status === 'pass' && !touched && limits.confirm !== 'off';
  }

  /** A green is tried again, as often as asked. */
  async function confirm(iteration: number): Promise<void> {
    if (!mayBeConfirmed()) return;
    for (let run = 0; run < limits.confirmRuns && !signal.aborted; run++)
      if (!(await holds(iteration))) return;
  }

  /** One more round, with the judge put back once more. False also where the user stopped it. */
  async function holds(iteration: number): Promise<boolean> {
    const before = current;
    current = await workspace.snapshot();
    await guard(iteration, before, ports.rules);
    const judged = await evaluate('confirm', {});
    if (signal.aborted) return false;
    const earlier = lastFresh?.tree === current.tree ? lastFresh.checks : undefined;
    if (judged.fresh) lastFresh = { tree: current.tree, checks: judged.checks };
    const strict = limits.suspicion === 'error';
    const happening = confirmationOf(spec.success, iteration, judged, {
      earlier,
      strict,
      suspicions: suspicions(),
    });
    emit(happening);
    return happening.verdict.status === 'pass';
  }

  async function keepBest(iteration: number): Promise<void> {
    if (!isBest(history)) return;
    const patch = await savePatch(workspace.start, 'best.patch');
    emit({ type: 'best.kept', iteration, patch });
  }

  async function recover(iteration: number, before: Snapshot): Promise<void> {
    const because = reasonToRevert(history, driverInTurn(history).revert);
    if (!because) return;
    current = await workspace.restore(current, before);
    const total = workspace.changes(workspace.start, current).filter(isWork).map(plain);
    const { stat: totalStat } =
      total.length === 0 ? NO_DIFF : await workspace.diff(workspace.start, current, DIFF_CHARS);
    emit({ type: 'workspace.reverted', iteration, because, tree: current.tree, total, totalStat });
  }
}

/** Only a room behind walls has none. */
const NETWORK_IS_THERE =
  'evaluation.network: off has no effect here: the checks run in no bound room and can reach the network';
const ALL_KNOWN =
  'all tests that fail before any work are known failures, so nothing is left to do: those that are the task must not be among them';
const NO_DIFF = { stat: '', patch: '' };
const paths = (changes: readonly TreeChange[], byChecks: boolean) =>
  changes.filter((change) => change.byChecks === byChecks).map((change) => change.path);
const isWork = (change: TreeChange) => change.work && !change.byChecks;
const plain = ({ path, change }: TreeChange) => ({ path, change });
/** 0-based iteration → the two digits of file names. */
const number = (iteration: number) => String(iteration + 1).padStart(2, '0');
