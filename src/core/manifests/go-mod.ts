import type { Merged } from './merged.ts';

/** Directives that put other code in the place of a module, or choose the compiler. */
const JUDGING = /^(?:replace|exclude|ignore|toolchain|godebug)\b/;

interface Directive {
  readonly verb: string;
  readonly text: string;
}

export function mergeGoMod(start: string, agents: string): Merged {
  if (start === '') return { text: agents, kept: [] };
  const ours = directivesOf(start).filter(judges);
  const theirs = directivesOf(agents);
  const mine = theirs.filter(judges);
  const kept = ['replace', 'exclude', 'ignore', 'toolchain', 'godebug'].filter(
    (verb) => textOf(ours, verb) !== textOf(mine, verb),
  );
  if (kept.length === 0) return { text: agents, kept };
  const rest = theirs.filter((directive) => !judges(directive));
  return { text: `${[...rest, ...ours].map(({ text }) => text).join('\n')}\n`, kept };
}

function judges({ verb }: Directive): boolean {
  return JUDGING.test(verb);
}

function textOf(directives: readonly Directive[], verb: string): string {
  return directives
    .filter((directive) => directive.verb === verb)
    .map(({ text }) => text.replace(/\s+/g, ' ').trim())
    .sort()
    .join('\n');
}

/** One piece a directive, a block in parentheses being one. */
function directivesOf(text: string): Directive[] {
  const directives: Directive[] = [];
  let block: { verb: string; lines: string[] } | undefined;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const code = line.replace(/\/\/.*/, '').trim();
    if (block) {
      block.lines.push(line);
      if (code.startsWith(')')) {
        directives.push({ verb: block.verb, text: block.lines.join('\n') });
        block = undefined;
      }
      continue;
    }
    const verb = /^[a-z]+/.exec(code)?.[0] ?? '';
    if (/^[a-z]+\s*\(/.test(code)) block = { verb, lines: [line] };
    else directives.push({ verb, text: line });
  }
  if (block) directives.push({ verb: block.verb, text: block.lines.join('\n') });
  return directives;
}
