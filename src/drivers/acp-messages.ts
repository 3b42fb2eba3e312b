import { z } from 'zod';

/**
 * What is read of an agent's messages. Whatever has another form than the protocol's is taken as absent: an agent
 * that is newer, older or careless must not break a turn.
 */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const text = lenient(z.string());
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item.nullable().catch(null))
    .catch([])
    .transform((items) => items.filter((it) => it !== null));

export const PROTOCOL_VERSION = 1;

export const hello = z.object({
  protocolVersion: z.number(),
  agentCapabilities: lenient(
    z.object({
      loadSession: lenient(z.boolean()),
      sessionCapabilities: lenient(z.object({ resume: z.unknown().optional() })),
    }),
  ),
});

export type Hello = z.infer<typeof hello>;

const choice = z.object({ value: z.string(), name: text });
const choices = listOf(z.union([choice, z.object({ options: listOf(choice) })]));

/** The answer to `session/new`, `session/resume` and `session/load`. */
export const session = z.object({
  sessionId: text,
  modes: lenient(z.object({ availableModes: listOf(z.object({ id: z.string(), name: text })) })),
  models: lenient(z.object({ availableModels: listOf(z.object({ modelId: z.string(), name: text })) })),
  configOptions: listOf(z.object({ id: z.string(), category: text, options: choices })),
});

export type SessionAnswer = z.infer<typeof session>;

const toolCall = {
  toolCallId: text,
  title: text,
  kind: text,
  status: text,
  rawInput: z.unknown().optional(),
  locations: listOf(z.object({ path: z.string() })),
};

export const update = z.object({
  sessionId: z.string(),
  update: z.object({
    sessionUpdate: z.string(),
    content: lenient(z.object({ type: z.string(), text })),
    messageId: text,
    cost: lenient(z.object({ amount: z.number().nonnegative(), currency: z.string() })),
    ...toolCall,
  }),
});

export type Update = z.infer<typeof update>['update'];
export type ToolCall = Pick<Update, keyof typeof toolCall>;

export const permissionRequest = z.object({
  toolCall: z.object(toolCall),
  options: listOf(z.object({ optionId: z.string(), kind: text })),
});

export type PermissionRequest = z.infer<typeof permissionRequest>;
