import { z } from 'zod';

/** The part of JSON Schema that our schemas use. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly $ref?: string;
}

/** JSON Schema of a table of keys, draft 7, which editors understand best. */
export function jsonSchemaOf(schema: z.ZodType, title?: string): JsonSchema {
  const json = z.toJSONSchema(schema, { io: 'input', target: 'draft-7', override: adapt });
  return { ...(title !== undefined && { title }), ...(json as JsonSchema) };
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const adapt: Override = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall && (def.catchall._zod.def.checks?.length ?? 0) > 0) {
    jsonSchema.additionalProperties = false;
    jsonSchema.patternProperties = { '^x-': {} };
  }
  // Not every validator knows `\0`; the shape that editors need is "not blank".
  if (jsonSchema.pattern?.includes('\\0')) jsonSchema.pattern = '\\S';
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};
