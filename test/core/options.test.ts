import { expect, test } from 'vitest';
import { z } from 'zod';
import { readOptions, requireOptions } from '../../src/core/options.ts';

const schema = z.strictObject({ size: z.int().min(1).default(3), tags: z.array(z.string()).default([]) });

test('options are read by the schema of the plug-in, defaults filled in', async () => {
  expect(await readOptions(schema, {})).toEqual({ value: { size: 3, tags: [] } });
});

test('without a schema they are taken as they are', async () => {
  expect(await readOptions(undefined, { any: 1 })).toEqual({ value: { any: 1 } });
});

test('each wrong option is told with its path', async () => {
  const read = await readOptions(schema, { size: 0, tags: ['a', 1] });
  expect('issues' in read && read.issues.map((issue) => issue.path)).toEqual([['size'], ['tags', 1]]);
});

test('a schema of any library and a path of objects will do', async () => {
  const own = {
    '~standard': {
      version: 1 as const,
      vendor: 'me',
      validate: async () => ({ issues: [{ message: 'no', path: [{ key: 'a' }, 0] }] }),
    },
  };
  expect(await readOptions(own, {})).toEqual({ issues: [{ path: ['a', 0], message: 'no' }] });
});

test('wrong options can be an error that names the plug-in', async () => {
  await expect(requireOptions('driver "x"', schema, { sise: 1 })).rejects.toMatchObject({
    code: 'bad-options',
    message: expect.stringMatching(/^options of driver "x": .*sise/),
  });
  expect(await requireOptions('driver "x"', schema, { size: 2 })).toEqual({ size: 2, tags: [] });
});
