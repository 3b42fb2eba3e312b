import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Progress } from '../../src/core/event.ts';
import type { Observer } from '../../src/core/plugin.ts';
import type { Scripted } from '../../src/testing/index.ts';
import { openBench } from '../support/engine.ts';

vi.setConfig({ testTimeout: 240_000 });

const SECRET = 'q7Z-topsecret/9+xY"2kLm';
const IN_FILE = 'dotenv-value-31415926';
const IN_OPTIONS = 'options-value-27182818';

/** Prints the secret in each form, in halves with a pause between, and amid so much output that it is cut and logged. */
const LEAK = `import base64, os, sys, time, json, urllib.parse
s = os.environ["MY_API_KEY"]
def forms(s):
    yield s
    yield json.dumps({"key": s})
    yield urllib.parse.quote(s, safe="")
    yield s.encode().hex()
    for before in ("", "a", "ab"):
        yield base64.b64encode((before + s).encode()).decode()
        yield base64.urlsafe_b64encode((before + s).encode()).decode()
    yield base64.encodebytes((40 * "x" + s + 40 * "y").encode()).decode()
def leak(out):
    for form in forms(s):
        print("here:", form, file=out)
    for line in open(".env"):
        print(line, file=out)
    out.write(s[:9]); out.flush(); time.sleep(0.2); out.write(s[9:] + "\\n"); out.flush()
leak(sys.stdout)
leak(sys.stderr)
for i in range(9000):
    print(i, 40 * ".", s)
leak(sys.stdout)
print(os.environ.get("OTHER_TOKEN", "not there"))
sys.exit(0 if os.path.exists("done.txt") else 1)
`;

/** Each text that would tell of it. */
const tells = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('hex'),
  secret.slice(0, 9),
  ...[0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const [from, to] = [Math.ceil((shift * 4) / 3), Math.floor((bytes.length * 4) / 3)];
    return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
  }),
];

function filesBelow(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    const stats = statSync(path);
    return stats.isDirectory() ? filesBelow(path) : [path];
  });
}

test.each(['room', 'rerun'])(
  'no record and no output of a run tells a secret (confirm: %s)',
  async (confirm) => {
    const printed: string[] = [];
    const prompts: string[] = [];
    const watcher: Observer = {
      name: 'watcher',
      onEvent: (event) => void printed.push(JSON.stringify(event)),
      onProgress: (progress: Progress) => void printed.push(JSON.stringify(progress)),
    };
    const talk: Scripted = (turn) => {
      prompts.push(turn.prompt, JSON.stringify(turn.feedback));
      for (const piece of ['it is ', SECRET.slice(0, 4), SECRET.slice(4, 11), SECRET.slice(11), '\n'])
        turn.output(piece);
      turn.acted('shell', `echo ${SECRET}`);
      return {
        write: { 'notes.txt': `the key is ${SECRET}\n`, ...(turn.iteration > 0 && { 'done.txt': 'x' }) },
        result: { summary: `I used ${Buffer.from(`x${SECRET}`).toString('base64')} and ${IN_FILE}` },
      };
    };
    await using b = await openBench({ steps: [talk, talk] });
    b.write({ 'leak.py': LEAK, '.env': `SOME_TOKEN=${IN_FILE}\n`, '.gitignore': '.env\n' });
    const spec = b.spec({
      env: { pass: ['MY_API_KEY'] },
      limits: { confirm },
      evaluators: [
        {
          uses: 'command',
          as: 'leak',
          options: { command: 'python3 leak.py', env: { OTHER_TOKEN: IN_OPTIONS } },
        },
      ],
    });
    const env = { ...b.options.env, MY_API_KEY: SECRET };
    const { report, runDir } = await b.run(spec, { env, observers: [watcher] });
    expect(report.outcome).toBe('success');

    const files = filesBelow(runDir);
    const names = files.map((file) => file.slice(runDir.length + 1));
    expect(names).toContain('events.jsonl');
    expect(names).toContain('iteration-01.patch');
    expect(names.some((name) => name.startsWith('logs/'))).toBe(true);
    const texts = [
      ...files.map((file) => [file, readFileSync(file, 'utf8').replaceAll(/\r?\n/g, '')] as const),
      ['what observers saw', printed.join('').replaceAll('\\n', '')] as const,
      // Pieces are put together as a terminal does.
      ['prompts', prompts.join('')] as const,
      ['what is returned', JSON.stringify(report)] as const,
    ];
    for (const [where, text] of texts) {
      for (const secret of [SECRET, IN_FILE, IN_OPTIONS])
        for (const told of tells(secret)) expect(text.includes(told), `${where} holds ${told}`).toBe(false);
    }
    const outputs = printed.flatMap((line) => {
      const said = JSON.parse(line) as { type: string; text?: string };
      return said.type === 'agent.output' ? (said.text ?? '') : [];
    });
    expect(outputs.join('')).toContain('it is <redacted MY_API_KEY>\n');
    const log = files.find((file) => file.includes('/logs/')) ?? '';
    expect(readFileSync(log, 'utf8')).toContain(
      '8999 ........................................ <redacted MY_API_KEY>',
    );
    expect(readFileSync(log, 'utf8')).toContain('<redacted SOME_TOKEN>');
    expect(readFileSync(join(runDir, 'iteration-01.patch'), 'utf8')).toContain(
      '+the key is <redacted MY_API_KEY>',
    );
  },
);

test('a run without secrets keeps what its checks print as it is', async () => {
  await using b = await openBench({ steps: [{ write: { 'a.txt': 'done\n' } }] });
  b.write({ 'a.txt': `${SECRET}\n` });
  const { report } = await b.run(
    b.spec({
      evaluators: [{ uses: 'command', as: 'c', options: { command: 'cat a.txt; grep -qx done a.txt' } }],
    }),
    { env: { ...b.options.env, A_TOKEN: 'true', USER_PASSWORD: 'password' } },
  );
  expect(report.baseline?.evaluations[0]?.feedback).toContain(SECRET);
});
