import { expect, test } from 'vitest';
import { requireOptions } from '../../src/core/options.ts';
import { builtInEvaluators } from '../../src/evaluators/index.ts';

test('every built-in evaluator loads under the name it is listed by, and checks its options', async () => {
  for (const entry of builtInEvaluators) {
    const evaluator = await entry.load();
    expect(evaluator.type).toBe(entry.name);
    expect(entry.description).not.toBe('');
    await expect(requireOptions(entry.name, evaluator.options, { nosuchoption: 1 })).rejects.toThrow(
      'nosuchoption',
    );
  }
});

test.each<[type: string, options: Record<string, unknown>, commands: string[]]>([
  ['command', { command: 'npm test' }, ['npm test']],
  ['experiment', { command: 'node bench.mjs', metric: 'x' }, ['node bench.mjs']],
  ['experiment', { file: 'm.json', metric: 'x' }, []],
  ['tests', { command: 'pytest -q' }, ['pytest -q']],
  ['tests', { runner: 'vitest' }, ['npx vitest run']],
  ['pytest', { args: ['-k', 'a b'] }, ["python3 -m pytest -k 'a b'"]],
  ['unittest', {}, ['python3 -m unittest']],
  ['node-test', {}, ['node --test']],
  ['jest', { args: ['--ci'] }, ['npx jest --ci']],
  ['mocha', {}, ['npx mocha']],
  ['cargo-test', { args: ['--workspace'] }, ['cargo test --workspace']],
  ['maven', {}, ['mvn -q test']],
  ['junit', { command: 'make report' }, ['make report']],
  ['tap', { command: 'prove -v' }, ['prove -v']],
  ['tests', { format: 'ctrf', command: 'make report' }, ['make report']],
])('%s with %j says beforehand what it will run', async (type, options, commands) => {
  const evaluator = await builtInEvaluators.find(({ name }) => name === type)?.load();
  const read = await requireOptions(type, evaluator?.options, options);
  expect(evaluator?.commands?.(read)).toEqual(commands);
});
