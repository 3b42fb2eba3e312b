import { describe, expect, test } from 'vitest';
import { parseReply, schemaOf } from '../../src/drivers/reply.ts';

const code = { type: 'code', target: 'solution.py' } as const;
const files = { type: 'files' } as const;
const FENCE = '```';

const json = (value: unknown) => JSON.stringify(value);
const good = { reasoning: 'why', code: 'x = 1\ny = 2\n' };

function contentOf(text: string): string | undefined {
  const reply = parseReply(text, code);
  return reply.ok ? reply.proposal.files[0]?.content : undefined;
}

describe('a reply that is accepted', () => {
  const accepted: readonly (readonly [string, string, string])[] = [
    ['strict JSON', json(good), good.code],
    ['JSON between blank lines', `\n\n ${json(good)} \n`, good.code],
    ['JSON after a byte order mark', `\uFEFF${json(good)}`, good.code],
    ['one json fence around the whole body', `${FENCE}json\n${json(good)}\n${FENCE}`, good.code],
    ['a fence without a language', `${FENCE}\n${json(good)}\n${FENCE}\n`, good.code],
    ['a fence with CRLF', `${FENCE}JSON\r\n${json(good)}\r\n${FENCE}\r\n`, good.code],
    ['pretty JSON', JSON.stringify(good, undefined, 2), good.code],
    [
      'fences inside a string',
      json({ reasoning: 'r', code: `"""\n${FENCE}python\nx\n${FENCE}\n"""\n` }),
      `"""\n${FENCE}python\nx\n${FENCE}\n"""\n`,
    ],
    [
      'fences inside a string inside a fence',
      `${FENCE}json\n${json({ reasoning: 'r', code: `a\n${FENCE}\nb` })}\n${FENCE}`,
      `a\n${FENCE}\nb`,
    ],
    [
      'code that is itself one fence, which stays',
      json({ reasoning: '', code: `${FENCE}python\nx = 1\n${FENCE}` }),
      `${FENCE}python\nx = 1\n${FENCE}`,
    ],
    ['keys beside those of the shape', json({ ...good, confidence: 1 }), good.code],
    ['white space at both ends of the code', json({ reasoning: '', code: '\n\n  x\n\n' }), '\n\n  x\n\n'],
  ];
  test.each(accepted)('%s', (_, text, expected) => {
    expect(contentOf(text)).toBe(expected);
  });
});

describe('a reply that is refused says what is wrong with it', () => {
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['nothing', '', /was empty/],
    ['white space', ' \n\t', /was empty/],
    ['prose', 'Sure! Here is the code.', /not one JSON object.*"Sure! Here/],
    ['prose, then JSON', `Here:\n${json(good)}`, /not one JSON object/],
    ['JSON, then prose', `${json(good)}\nHope this helps!`, /not one JSON object/],
    [
      'prose and two fences',
      `First:\n${FENCE}json\n${json(good)}\n${FENCE}\nor\n${FENCE}json\n${json(good)}\n${FENCE}`,
      /not one JSON/,
    ],
    [
      'two fences',
      `${FENCE}json\n${json(good)}\n${FENCE}\n${FENCE}json\n${json(good)}\n${FENCE}`,
      /fence of the reply does not hold/,
    ],
    ['an unclosed fence', `${FENCE}json\n${json(good)}`, /does not close at its end/],
    [
      'a fence and prose after it',
      `${FENCE}json\n${json(good)}\n${FENCE}\nDone.`,
      /does not close at its end/,
    ],
    ['a fence of code', `${FENCE}python\nx = 1\n${FENCE}`, /holds "python"/],
    ['cut JSON', json(good).slice(0, -5), /not one JSON object/],
    ['a list', '[1]', /a list and not an object/],
    ['null', 'null', /null and not an object/],
    ['JSON inside a JSON string', json(json(good)), /a string and not an object/],
    ['no reasoning', json({ code: 'x' }), /"reasoning" is missing/],
    ['no code', json({ reasoning: 'r' }), /"code" is missing/],
    [
      'code that is no string',
      json({ reasoning: 'r', code: ['x'] }),
      /"code" must be a string, but is a list/,
    ],
    ['code that is null', json({ reasoning: 'r', code: null }), /"code" must be a string, but is null/],
    ['blank code', json({ reasoning: 'r', code: ' \n' }), /"code" is empty/],
    ['the other shape', json({ reasoning: 'r', files: [] }), /"code" is missing/],
  ];
  test.each(refused)('%s', (_, text, expected) => {
    const reply = parseReply(text, code);
    expect(reply.ok ? '' : reply.problem).toMatch(expected);
    expect(reply.ok ? '' : reply.problem).toMatch(/nothing of the reply was written$/);
  });
});

describe('files', () => {
  test('come with their paths and contents, as they are', () => {
    const list = [
      { path: 'a.py', content: '' },
      { path: '../b c.py', content: 'x\n' },
    ];
    expect(parseReply(json({ reasoning: 'r', files: list }), files)).toEqual({
      ok: true,
      proposal: { reasoning: 'r', files: list },
    });
  });

  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ['missing', undefined, /"files" is missing/],
    ['a map', { 'a.py': 'x' }, /must be a list of \{path, content\}, but is an object/],
    ['empty', [], /"files" is empty/],
    ['without a path', [{ content: 'x' }], /"files\[0\].path" is missing/],
    [
      'with an empty path',
      [{ path: '', content: 'x' }],
      /"files\[0\].path" must be a path, but is an empty string/,
    ],
    ['without content', [{ path: 'a' }], /"files\[0\].content" is missing/],
    ['of strings', ['a.py'], /"files\[0\].path" is missing/],
    [
      'that hold a path twice',
      [
        { path: 'a', content: '1' },
        { path: 'a', content: '2' },
      ],
      /holds a twice/,
    ],
  ];
  test.each(wrong)('%s are refused', (_, list, expected) => {
    const reply = parseReply(json({ reasoning: 'r', files: list }), files);
    expect(reply.ok ? '' : reply.problem).toMatch(expected);
  });
});

describe('newlines that were escaped twice', () => {
  test('stay as they are, and the next prompt is told where', () => {
    const reply = parseReply('{"reasoning": "r", "code": "import x\\\\nclass A: pass"}', code);
    expect(reply).toMatchObject({ ok: true, proposal: { files: [{ content: 'import x\\nclass A: pass' }] } });
    expect(reply.ok && reply.note).toMatch(/solution\.py \(first at character 9\).*escape it once/s);
  });

  test('a lost backslash is not mended either', () => {
    expect(contentOf('{"reasoning": "r", "code": "pass\\nnclass A: pass"}')).toBe('pass\nnclass A: pass');
  });

  test('a file of several lines may hold the two characters without a word', () => {
    expect(parseReply(json({ reasoning: '', code: 'print("a\\nb")\nprint()\n' }), code)).not.toHaveProperty(
      'note',
    );
  });
});

test('the schema of each shape asks for exactly its keys', () => {
  expect(schemaOf(code)).toMatchObject({ required: ['reasoning', 'code'], additionalProperties: false });
  expect(schemaOf(files)).toMatchObject({
    required: ['reasoning', 'files'],
    properties: { files: { type: 'array', items: { required: ['path', 'content'] } } },
  });
});
