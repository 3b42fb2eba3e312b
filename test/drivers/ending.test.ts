import { expect, test } from 'vitest';
import { reasonIn } from '../../src/drivers/ending.ts';

const NODE = `[eval]:1
JSON.parse("")
     ^

SyntaxError: Unexpected end of JSON input
    at JSON.parse (<anonymous>)
    at [eval]:1:6
    at runScriptInThisContext (node:internal/vm:143:10)
    at node:internal/process/execution:100:14
    at [eval]-wrapper:6:24
    at runScript (node:internal/process/execution:83:62)
    at evalScript (node:internal/process/execution:114:10)
    at node:internal/main/eval_string:30:3

Node.js v20.20.2
`;
const CODED = `node:internal/errors:540
TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string
    at open (node:fs:10:1) {
  code: 'ERR_INVALID_ARG_TYPE'
}
`;
const PYTHON = `Traceback (most recent call last):
  File "/opt/agent/main.py", line 3, in <module>
    raise Torn("the session is torn")
agent.Torn: the session is torn
`;
const GO = `panic: runtime error: index out of range [3] with length 0

goroutine 1 [running]:
main.main()
\t/src/main.go:7 +0x1d
exit status 2
`;

test.each([
  ['of Node', NODE, 'SyntaxError: Unexpected end of JSON input'],
  [
    'of Node with a code',
    CODED,
    'TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string',
  ],
  ['of Python, whatever the exception is called', PYTHON, 'agent.Torn: the session is torn'],
  ['of Go', GO, 'panic: runtime error: index out of range [3] with length 0'],
])('a stack %s comes to its error', (_, text, reason) => {
  expect(reasonIn(text)).toBe(reason);
});

test('words without a stack stand as they are, the last of them', () => {
  expect(reasonIn('error: no such model\nhint: list the models\n')).toBe(
    'error: no such model\nhint: list the models',
  );
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`);
  expect(reasonIn(lines.join('\n'))).toBe(lines.slice(-8).join('\n'));
});

test('a stack without an error keeps its last lines', () => {
  expect(reasonIn('it went wrong\n    at f (a.js:1:1)\n')).toBe('it went wrong\n    at f (a.js:1:1)');
});
