import { z } from 'zod';
import { strictOptions } from './options.ts';

/** The kinds of tool that the Agent Client Protocol tells apart. */
export const TOOL_KINDS = [
  ...(['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch'] as const),
  ...(['switch_mode', 'other'] as const),
] as const;

const listed = strictOptions({ allow: z.array(z.enum(TOOL_KINDS)) });

/** Everything, nothing, or these kinds of tool. */
export const permission = z.union([z.enum(['allow', 'deny']), listed], {
  error: `must be allow, deny, or {allow: [kinds]} with kinds of ${TOOL_KINDS.join(', ')}`,
});

export type Permission = z.infer<typeof permission>;

/** A tool whose kind the agent does not tell is `other`. */
export function isAllowed(permission: Permission, kind: string | undefined): boolean {
  if (typeof permission === 'string') return permission === 'allow';
  return permission.allow.some((allowed) => allowed === (kind ?? 'other'));
}
