import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Accepted, acceptor } from '../core/accept.ts';
import type { Check } from '../core/check.ts';
import { type ChangedDependencies, canariesOf } from '../core/confirm.ts';
import { messageOf } from '../core/error.ts';
import type { ChosenRoom } from '../core/event.ts';
import { type GuardRule, violationOf } from '../core/guard.ts';
import type { EvaluateRequest, FreshFindings, Judged } from '../core/ports.ts';
import type { Room, RoomKind } from '../core/room.ts';
import { differenceOf, tellsLittle } from '../core/rooms-alike.ts';
import type { Suspicion } from '../core/suspicion/row.ts';
import { suspicionsIn } from '../core/suspicion/scan.ts';
import type { Snapshot, TreeChange, Workspace } from '../core/workspace.ts';
import type { Install, Rooms } from '../room/rooms.ts';
import { globMatcher } from '../workspace/globs.ts';
import { type RoundRequest, workspaceAsRoom } from './evaluate.ts';

export interface Judging {
  readonly workspace: Workspace;
  readonly rules: readonly GuardRule[];
  readonly allow: readonly string[];
  /** Command lines of a check, by its name. */
  readonly commandsOf: (check: string) => readonly string[];
  readonly run: (round: RoundRequest) => Promise<readonly Check[]>;
  /** Why the checks would judge something else in the workspace itself, if so. */
  readonly notInWorkspace?: string | undefined;
  /** Absent: the checks run in the workspace. */
  readonly rooms?: Rooms | undefined;
  /** Makes the dependencies in a room. Absent: nothing says how. */
  readonly install?: Install | undefined;
  /** Top-level modules of installed packages that tests of the start rest on. Default: none. */
  readonly installed?: ReadonlySet<string>;
}

type Accept = ReturnType<typeof acceptor>;

/** The engine's `evaluate` port: the checks in a room that is settled once, kept in step, and made afresh to confirm. */
export class Judges implements AsyncDisposable {
  readonly #setup: Judging;
  readonly #theWorkspace: Room;
  #chosen: ChosenRoom | undefined;
  #accept: Accept | undefined;
  /** The room that is kept, and the state that it holds. */
  #kept: (Fresh & { readonly at: Snapshot }) | undefined;

  /** The checks as they were before any work. */
  #atStart: readonly Check[] | undefined;

  constructor(setup: Judging) {
    this.#setup = setup;
    this.#theWorkspace = workspaceAsRoom(setup.workspace.dir);
  }

  readonly evaluate = async (request: EvaluateRequest): Promise<Judged> => {
    const judged = await this.#judge(request);
    if (request.phase === 'baseline') this.#atStart = judged.checks;
    return judged;
  };

  async #judge(request: EvaluateRequest): Promise<Judged> {
    if (!this.#setup.rooms) return await this.#rerun(request);
    if (request.phase === 'baseline') return await this.#baseline(request, this.#setup.rooms);
    this.#chosen ??= firstOf(this.#setup.rooms);
    const accepted = this.#accepted(request);
    if (this.#chosen.kind === 'workspace') return await this.#withoutRoom(request, this.#chosen, accepted);
    return request.phase === 'confirm'
      ? await this.#confirm(request, this.#chosen, accepted, this.#setup.rooms)
      : await this.#iteration(request, this.#chosen, accepted, this.#setup.rooms);
  }

  async #run(round: Omit<RoundRequest, 'atStart'>): Promise<readonly Check[]> {
    return await this.#setup.run({ ...round, atStart: this.#atStart });
  }

  /** The engine's `suspicions` port: the agent's work, as far as it is there where the checks run. */
  readonly suspicions = (changes: readonly TreeChange[]): readonly Suspicion[] => {
    const { workspace, rooms } = this.#setup;
    const inRoom = rooms !== undefined && this.#chosen?.kind !== 'workspace';
    const accepted = inRoom ? this.#accepted({ changes }) : undefined;
    return suspicionsIn({
      changes: changes.filter(
        ({ path, work, byChecks }) => work && !byChecks && (accepted?.of(path).goesIn ?? true),
      ),
      agents: (path) => textOf(join(workspace.dir, path)),
      start: { paths: workspace.startPaths(), read: (path) => workspace.startText(path) },
    });
  };

  /** What a reader should know of the rooms. */
  get notices(): readonly string[] {
    return this.#setup.rooms?.notices ?? [];
  }

  /** True where a room can stand at the workspace's own path, so that links that lead there mean the room. */
  get canBind(): boolean {
    return this.#setup.rooms?.available().some(({ kind, because }) => kind === 'bound' && !because) ?? false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept?.room.close();
    await this.#setup.rooms?.close();
  }

  async #inWorkspace(request: EvaluateRequest): Promise<readonly Check[]> {
    return await this.#run({ ...request, room: this.#theWorkspace });
  }

  /** No kind of room serves: what one would not have taken speaks against a green. */
  async #withoutRoom(request: EvaluateRequest, room: ChosenRoom, accepted: Accepted): Promise<Judged> {
    const checks = await this.#inWorkspace(request);
    if (request.phase !== 'confirm') return { checks, keptOut: [], room };
    const { caveats, allowed, doubts, keptOut } = accepted;
    const counts = keptOut.flatMap(({ path, because, allow }) =>
      // What a rule matches was put back, or `warn` lets it stand.
      allow === undefined || violationOf(path, this.#setup.rules)
        ? []
        : [{ because: `no room serves, and in the workspace ${path} is the agent’s (${because})`, allow }],
    );
    return {
      checks,
      keptOut: [],
      room,
      fresh: { canary: [], caveats, allowed, doubts: [...doubts, ...counts] },
    };
  }

  /** A run that wants no rooms. What speaks against any green, wherever it was seen, does so here too. */
  async #rerun(request: EvaluateRequest): Promise<Judged> {
    const checks = await this.#inWorkspace(request);
    if (request.phase === 'baseline') this.#accept ??= this.#acceptor(checks);
    if (request.phase !== 'confirm') return { checks, keptOut: [] };
    const { allowed, doubts } = this.#accepted(request);
    return { checks, keptOut: [], fresh: { canary: [], caveats: [], allowed, doubts } };
  }

  /** Goes down from the best kind of room until one behaves as the project does. */
  async #baseline(request: EvaluateRequest, rooms: Rooms): Promise<Judged> {
    if (this.#chosen) return await this.#again(request, this.#chosen);
    const held = { ...request, finished: () => {} };
    let inWorkspace: Promise<readonly Check[]> | undefined;
    const workspace = () => {
      inWorkspace ??= this.#inWorkspace(held);
      return inWorkspace;
    };
    let because: string | undefined;
    for (const { kind, because: missing } of rooms.available()) {
      if (kind === 'workspace') break;
      const tried = missing ?? (await this.#tryRoom(kind, held, rooms, workspace));
      if (typeof tried !== 'string')
        return this.#settle(request, tried, { kind, ...(because !== undefined && { because }) });
      because = tried;
    }
    const found = await workspace();
    const { notInWorkspace } = this.#setup;
    const checks = notInWorkspace === undefined ? found : found.map((check) => blind(check, notInWorkspace));
    return this.#settle(request, checks, { kind: 'workspace', ...(because !== undefined && { because }) });
  }

  /** The checks in a room of that kind, which is kept; or why it does not serve. */
  async #tryRoom(
    kind: RoomKind,
    request: EvaluateRequest,
    rooms: Rooms,
    workspace: () => Promise<readonly Check[]>,
  ): Promise<readonly Check[] | string> {
    let room: Room;
    try {
      room = await rooms.make(kind, (dir) => this.#setup.workspace.materialise(dir, request.at, () => false));
    } catch (error) {
      return `a ${kind} room could not be made: ${messageOf(error)}`;
    }
    const checks = await this.#run({ ...request, room });
    const difference = tellsLittle(checks) ? differenceOf(await workspace(), checks) : undefined;
    if (difference !== undefined) {
      await room.close();
      return `${difference} in a ${kind} room`;
    }
    await rooms.snapshotCaches(room);
    this.#kept = { room, at: request.at };
    return checks;
  }

  #settle(request: EvaluateRequest, checks: readonly Check[], room: ChosenRoom): Judged {
    this.#chosen = room;
    this.#accept = this.#acceptor(checks);
    for (const check of checks) request.finished(check);
    return { checks, room, keptOut: [] };
  }

  /** The baseline once more, where it is asked for. */
  async #again(request: EvaluateRequest, room: ChosenRoom): Promise<Judged> {
    const checks = this.#kept
      ? await this.#run({ ...request, room: this.#kept.room })
      : await this.#inWorkspace(request);
    return { checks, room, keptOut: [] };
  }

  #acceptor(baseline: readonly Check[] | undefined): Accept {
    const { workspace, rules, allow, commandsOf } = this.#setup;
    return acceptor({
      rules,
      allow,
      matcher: globMatcher,
      start: { paths: workspace.startPaths(), read: (path) => workspace.startText(path) },
      ...(baseline && {
        baseline: baseline.map((check) => ({ ...check, commands: commandsOf(check.name) })),
      }),
      installed: this.#setup.installed ?? new Set(),
    });
  }

  #accepted({ changes }: Pick<EvaluateRequest, 'changes'>): Accepted {
    this.#accept ??= this.#acceptor(undefined);
    const own = changes.filter((change) => !change.byChecks);
    return this.#accept(own, (path) => textOf(join(this.#setup.workspace.dir, path)));
  }

  async #iteration(
    request: EvaluateRequest,
    chosen: ChosenRoom,
    accepted: Accepted,
    rooms: Rooms,
  ): Promise<Judged> {
    const { workspace } = this.#setup;
    if (this.#kept?.isStale?.()) {
      await this.#kept.room.close();
      this.#kept = undefined;
    }
    if (this.#kept) {
      await workspace.carry(this.#kept.room.workdir, this.#kept.at, request.at, goesIn(accepted));
      this.#kept = { ...this.#kept, at: request.at };
      writeMerged(this.#kept.room.workdir, request, accepted);
    } else {
      this.#kept = { ...(await this.#fresh(request, chosen.kind, accepted, rooms)), at: request.at };
    }
    const { room } = this.#kept;
    const checks = await this.#run({ ...request, room });
    return { checks, keptOut: accepted.keptOut, room: chosen };
  }

  /** A green that holds only where it grew up takes the fresh room in the place of the kept one. */
  async #confirm(
    request: EvaluateRequest,
    chosen: ChosenRoom,
    accepted: Accepted,
    rooms: Rooms,
  ): Promise<Judged> {
    const made = await this.#fresh(request, chosen.kind, accepted, rooms);
    const { room } = made;
    const checks = await this.#run({ ...request, room });
    const green = checks.every((check) => check.status === 'pass');
    const canaries = green ? await this.#run({ ...request, room, canary: true, finished: () => {} }) : [];
    if (green) await room.close();
    else {
      await this.#kept?.room.close();
      this.#kept = { ...made, at: request.at };
    }
    const around = rooms.aroundChanged();
    // What changed since the room was made counts too.
    const dependencies = made.dependencies ?? this.#changed(made, rooms);
    const fresh: FreshFindings = {
      canary: canariesOf(canaries),
      caveats: [...accepted.caveats, ...(made.caveat === undefined ? [] : [made.caveat])],
      allowed: accepted.allowed,
      doubts: accepted.doubts,
      ...(dependencies && { dependencies }),
      ...(around !== undefined && { around }),
    };
    return { checks, keptOut: accepted.keptOut, room: chosen, fresh };
  }

  #changed({ isStale }: Fresh, rooms: Rooms): ChangedDependencies | undefined {
    const what = isStale ? undefined : rooms.dependenciesChanged();
    return what === undefined ? undefined : { what };
  }

  /** A room of the tree as it is now. Dependencies that changed are made again in it, where something says how. */
  async #fresh(request: EvaluateRequest, kind: RoomKind, accepted: Accepted, rooms: Rooms): Promise<Fresh> {
    const { workspace, install } = this.#setup;
    const fill = async (dir: string) => {
      await workspace.materialise(dir, request.at, goesIn(accepted));
      writeMerged(dir, request, accepted);
    };
    const what = install && rooms.dependenciesChanged();
    if (!install || what === undefined) return { room: await rooms.make(kind, fill) };
    const made = await rooms.makeInstalled(kind, fill, install);
    return typeof made === 'string'
      ? { room: await rooms.make(kind, fill), dependencies: { what, failed: made } }
      : { ...made, caveat: `${what}; setup made them again in a fresh room` };
  }
}

/** A room, and how it came by its dependencies. */
interface Fresh {
  readonly room: Room;
  /** Set where they were made in it: true when something was installed since. */
  readonly isStale?: () => boolean;
  /** They changed, and could not be made again. */
  readonly dependencies?: ChangedDependencies;
  /** They changed, and were made again. */
  readonly caveat?: string;
}

function blind(check: Check, because: string): Check {
  return { ...check, status: 'unusable', cause: 'not-found', feedback: because };
}

function firstOf(rooms: Rooms): ChosenRoom {
  const all = rooms.available();
  const best = all.find((candidate) => candidate.because === undefined);
  const because = all.find((candidate) => candidate.because !== undefined)?.because;
  return { kind: best?.kind ?? 'workspace', ...(because !== undefined && { because }) };
}

const goesIn = (accepted: Accepted) => (change: { readonly path: string }) => accepted.of(change.path).goesIn;

/** Manifests of which some keys are the start's: neither version stands there. */
function writeMerged(dir: string, { changes }: EvaluateRequest, accepted: Accepted): void {
  for (const { path, change } of changes) {
    const answer = change === 'deleted' ? undefined : accepted.of(path);
    if (answer?.goesIn && answer.text !== undefined) writeFileSync(join(dir, path), answer.text);
  }
}

/** Larger files are no text that a rule reads. */
const MAX_TEXT_BYTES = 1_000_000;

function textOf(file: string): string | undefined {
  try {
    const stats = lstatSync(file);
    if (!stats.isFile() || stats.size > MAX_TEXT_BYTES) return undefined;
    return readFileSync(file, 'utf8');
  } catch {
    // Gone, or not readable: then it has no text.
    return undefined;
  }
}
