import { holds, toWrite } from './files.ts';
import { abortScenario, backgroundScenario, timeScenario } from './processes.ts';
import type { Rig } from './rig.ts';
import { meets, NotApplicable, SCENARIO_IDS, type ScenarioId, write } from './scenario.ts';
import { beginsAnew, resumesSession } from './sessions.ts';
import { usageScenario } from './usage.ts';

export interface Scenario {
  readonly title: string;
  /** Throws `Unmet` or `NotApplicable`. A text that it gives is something to know of a pass. */
  readonly play: (rig: Rig) => Promise<string | undefined>;
}

export const SCENARIOS: Readonly<Record<ScenarioId, Scenario>> = {
  'reports-a-name': { title: 'reports a name', play: reportsName },
  'creates-a-file': { title: 'creates a file', play: createsFile },
  'applies-feedback': { title: 'applies feedback', play: appliesFeedback },
  'handles-an-abort': { title: 'handles an abort', play: abortScenario },
  'resumes-a-session': { title: 'resumes a session', play: resumesSession },
  'begins-a-lost-session-anew': { title: 'begins a lost session anew', play: beginsAnew },
  'reports-usage': { title: 'reports usage, per turn', play: usageScenario },
  'ends-on-time': { title: 'ends on time', play: timeScenario },
  'leaves-no-process': { title: 'leaves no process', play: backgroundScenario },
  'survives-a-long-prompt': { title: 'survives a prompt of 1 MB', play: survivesLongPrompt },
  'tells-a-rate-limit': { title: 'tells a rate limit', play: tellsRateLimit },
  'tells-a-denied-permission': { title: 'tells a denied permission', play: tellsDenied },
  'streams-events-in-order': { title: 'streams events in order', play: streamsInOrder },
};

export function isScenario(id: string): id is ScenarioId {
  return SCENARIO_IDS.some((known) => known === id);
}

const NAME = /^[a-z0-9][a-z0-9._-]*$/i;

async function reportsName({ driver }: Rig): Promise<undefined> {
  const { name } = driver;
  meets(typeof name === 'string' && NAME.test(name), `its name is no plain word: ${JSON.stringify(name)}`);
  meets(typeof driver.run === 'function', 'it has no run(turn)');
  return undefined;
}

async function createsFile(rig: Rig): Promise<undefined> {
  const { result } = await rig.turn([toWrite('hello.txt', 'hello, world')], 0);
  await holds(rig, 'hello.txt', 'hello, world', result);
  meets(result.stopReason === 'completed', `the stop reason is ${result.stopReason}: ${result.summary}`);
  return undefined;
}

async function appliesFeedback(rig: Rig): Promise<undefined> {
  const feedback = 'The check failed: answer.txt must hold 42, and holds 41.';
  const assignments = [
    toWrite('answer.txt', '41'),
    {
      prompt: `${feedback}\nCorrect answer.txt.`,
      does: [{ op: 'write' as const, path: 'answer.txt', content: '42\n', isThere: true }],
    },
  ];
  const first = await rig.turn(assignments, 0);
  await holds(rig, 'answer.txt', '41', first.result);
  const { result } = await rig.turn(assignments, 1, {
    sessionId: first.result.sessionId,
    feedback: {
      iteration: 0,
      reason: feedback,
      failing: [],
      passing: [],
      changed: [],
      stat: '',
      diff: '',
      refused: [],
      keptOut: [],
      unconfirmed: false,
      repeats: 1,
    },
  });
  await holds(rig, 'answer.txt', '42', result);
  return undefined;
}

const LONG = 1_000_000;

async function survivesLongPrompt(rig: Rig): Promise<string | undefined> {
  const task = toWrite('long.txt', 'read to the end');
  const line = 'This line is here to make the prompt long, and asks for nothing.\n';
  const filler = line.repeat(Math.ceil(LONG / line.length));
  const prompt = `${task.prompt}\n\n${filler}\nThe task, once more: ${task.prompt}`;
  const { result } = await rig.turn([{ ...task, prompt }], 0);
  if ((await rig.text('long.txt'))?.trim() === 'read to the end') return undefined;
  meets(rig.model === undefined, `long.txt was not written; it says ${result.stopReason}: ${result.summary}`);
  meets(result.stopReason !== 'completed', 'it says that the turn is completed, and did nothing');
  return `the model did not take it, which the turn tells: ${result.stopReason}: ${result.summary}`;
}

async function tellsRateLimit(rig: Rig): Promise<string | undefined> {
  const { result } = await rig.turn([toWrite('limited.txt', 'x')], 0, { fate: 'is-limited' });
  meets(
    result.stopReason === 'rate-limited',
    `the stop reason is ${result.stopReason}, not rate-limited: ${result.summary}`,
  );
  // The script says it in words: a one-shot proposer reads the header. Some agents keep the words to themselves.
  const isSaid = rig.model !== undefined && rig.driver.kind !== 'one-shot';
  return !isSaid || /\b1 ?h\b|\b3600\b/.test(result.summary)
    ? undefined
    : 'the wait of 1 h that the server asks for is not told';
}

const DENIED = /den(?:y|ied)|not allowed|permission|reject|refus/i;

async function tellsDenied(rig: Rig): Promise<undefined> {
  const { result, acted } = await rig.turn([toWrite('denied.txt', 'x')], 0);
  meets((await rig.text('denied.txt')) === undefined, 'what its options deny was done');
  const told = [result.summary, result.problem ?? '', ...acted.map(({ tool }) => tool)];
  meets(
    told.some((text) => DENIED.test(text)),
    `nothing in its result tells of the denial: ${result.stopReason}: ${result.summary}`,
  );
  return undefined;
}

async function streamsInOrder(rig: Rig): Promise<undefined> {
  const assignment = {
    prompt:
      'Create the file first.txt with the word "one". Then, in a further step, create second.txt with the word "two".',
    does: [write('first.txt', 'one\n'), write('second.txt', 'two\n')],
  };
  const { acted, durationMs, result } = await rig.turn([assignment], 0);
  const told = `the turn says ${result.stopReason}: ${result.summary}`;
  meets(acted.length > 0, `it told of nothing that it did; ${told}`);
  const [first, second] = ['first.txt', 'second.txt'].map((name) =>
    acted.findIndex(({ input }) => input.includes(name)),
  );
  if (first === undefined || second === undefined) throw new NotApplicable('unreachable');
  if (first === -1 || second === -1) meets(acted.length > 1, `it told of ${acted.length} act alone; ${told}`);
  else meets(first < second, 'it told of the second file before the first');
  const isLive = rig.driver.kind === 'one-shot' || rig.model === undefined;
  const early = acted[0]?.atMs ?? durationMs;
  meets(isLive || durationMs - early > 750, 'it told of what it did only at the end of the turn');
  return undefined;
}
