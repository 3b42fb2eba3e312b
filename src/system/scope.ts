import { randomBytes } from 'node:crypto';
import { pidNamespace, processStat } from './procfs.ts';

/**
 * The variable by which a process and its descendants are known, in whatever session or group they are.
 * Its value is a path: the parent's value, then `/` and this call's own part.
 */
export const SCOPE_VARIABLE = 'LOOPGEN_SCOPE';

/** One part of a scope's value: who owns it, in which set of process ids, and a random name. */
export interface ScopePart {
  readonly text: string;
  readonly ownerPid: number;
  readonly ownerStart: number;
  readonly namespace: string;
}

let self: { readonly start: number; readonly namespace: string } | undefined;

function ownIdentity() {
  self ??= { start: processStat(process.pid)?.start ?? 0, namespace: pidNamespace() };
  return self;
}

/** A new part, owned by this process. */
export function newScopePart(): string {
  const { start, namespace } = ownIdentity();
  return [process.pid, start, namespace, randomBytes(8).toString('hex')].join('.');
}

/** The value for a child's environment: everything above this process, then `part`. */
export function scopeValue(part: string): string {
  return `${process.env[SCOPE_VARIABLE] ?? ''}/${part}`;
}

/** The parts of a value, outermost first. What has another form is left out. */
export function scopeParts(value: string): ScopePart[] {
  return value.split('/').flatMap((text) => {
    const match = /^(\d+)\.(\d+)\.(\d+)\.[0-9a-f]{16}$/.exec(text);
    if (!match) return [];
    return [{ text, ownerPid: Number(match[1]), ownerStart: Number(match[2]), namespace: match[3] ?? '' }];
  });
}

/** True only where it is certain that the owner has ended: a pid of another namespace says nothing. */
export function isOwnerDead(part: ScopePart): boolean {
  const { namespace, start } = ownIdentity();
  if (part.namespace !== namespace || part.ownerStart === 0 || start === 0) return false;
  const owner = processStat(part.ownerPid);
  return owner === undefined || owner.start !== part.ownerStart || owner.state === 'Z';
}
