import type { Row } from './row.ts';

const ANYTHING = 'it gives the type checker a type that allows everything';
const ALWAYS = 'it answers the type checker yes, whatever the value is';

/** A rest parameter, a constraint and a caught error have to say `any` in ordinary code. */
const TS_ANY = String.raw`(?<!\.\.\.\s*[\w$]+\s*)(?<!\bcatch\s*\(\s*[\w$]+\s*)\??:\s*any\b|(?<!\bextends\b[^\n]{0,120})=>\s*any\b|^[ \t]*(?:export\s+)?type\s+\w+\s*=\s*any\b`;
const PY_ANY = String.raw`@?(?:(?:typing|typing_extensions|t)\.)?Any\b`;

/**
 * Ordinary spellings by which a type checker learns nothing. They blind the checker alone, so they are asked for only
 * where a check was red that runs one.
 */
export const LOOSENING: readonly Row[] = [
  row('javascript', 'bare', new RegExp(TS_ANY), ANYTHING),
  row('javascript', 'bare', /\b(?:undefined|null)!/, ANYTHING),
  row('javascript', 'comments', /@type\s*\{\s*(?:any|\*|\?|never|unknown)\s*(?:\[\s*\])?\s*\}/, ANYTHING),
  row('javascript', 'comments', /@(?:param|returns?)\s*\{\s*(?:any|\*|\?|never)\s*\}/, ANYTHING),
  row(
    'javascript',
    'bare',
    /:\s*(?:asserts\s+)?[\w$]+\s+is\s+[^\n{=]{1,120}(?:=>\s*(?:\(\s*)?(?:true|!0)\b|(?:=>\s*)?\{\s*return\s+(?:true|!0)\b)|:\s*asserts\s+[\w$]+(?:\s+is\s+[^\n{=]{1,120})?\s*(?:=>\s*)?\{\s*\}/,
    ALWAYS,
  ),
  // What is handed on by a decorator has no better type.
  row(
    'python',
    'bare',
    new RegExp(String.raw`(?:(?<!\*\w+\s*):|->)\s*${PY_ANY}|\bAny\s+as\s+[\w@]`),
    ANYTHING,
  ),
  row('python', 'code', new RegExp(String.raw`(?:(?<!\*\w+\s*):|->)\s*(['"])${PY_ANY}\1`), ANYTHING),
  row(
    'python',
    'bare',
    /\bif\s+not\s+@?(?:typing\.)?(?:TYPE_CHECKING|MYPY)\b/,
    'it hides code from the type checker',
  ),
  row(
    'python',
    'code',
    /->\s*['"]?@?(?:(?:typing|typing_extensions)\.)?Type(?:Guard|Is)\[[^\n]*\][^\n]*:\s*return\s+(?:True|1|not\s+False)\b/,
    ALWAYS,
  ),
];

function row(
  language: NonNullable<Row['languages']>[number],
  view: Row['view'],
  pattern: RegExp,
  because: string,
): Row {
  return {
    name: 'loosened-types',
    languages: [language],
    view,
    scope: 'sources',
    pattern,
    because,
    harmlessByIds: true,
  };
}
