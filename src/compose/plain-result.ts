import type { AgentResult, Proposal } from '../core/event.ts';
import type { AgentDriver } from '../core/plugin.ts';
import { knownUsage } from '../core/usage.ts';

/** What a driver returned, as plain data of the right shape: whatever a plug-in gives, it goes into the journal. */
export function plainResult(driver: Pick<AgentDriver, 'name'>, given: unknown): AgentResult {
  const result: Partial<Record<keyof AgentResult, unknown>> =
    typeof given === 'object' && given !== null ? given : {};
  if (typeof result.stopReason !== 'string')
    return { stopReason: 'error', summary: `driver "${driver.name}" returned no result` };
  const usage = knownUsage(result.usage);
  const proposal = plainProposal(result.proposal);
  return {
    stopReason: result.stopReason as AgentResult['stopReason'],
    summary: text(result.summary) ?? '',
    ...(usage && { usage }),
    ...optional('sessionId', text(result.sessionId)),
    ...optional('problem', text(result.problem)),
    ...(proposal && { proposal }),
  };
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

const optional = <K extends string>(key: K, value: string | undefined): { [P in K]?: string } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]?: string });

function plainProposal(given: unknown): Proposal | undefined {
  if (typeof given !== 'object' || given === null || !('files' in given) || !Array.isArray(given.files))
    return undefined;
  const files = given.files.flatMap((file: unknown) =>
    typeof file === 'object' && file !== null && 'path' in file && 'content' in file
      ? [{ path: String(file.path), content: String(file.content) }]
      : [],
  );
  return { reasoning: 'reasoning' in given ? String(given.reasoning) : '', files };
}
