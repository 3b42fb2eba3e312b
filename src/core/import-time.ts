/** What of a text runs when the module is loaded. */

const GUARD = /^if\s+(?:__name__\s*==\s*['"]__main__['"]|['"]__main__['"]\s*==\s*__name__)/;
const DEF = /^(?:async\s+)?def\b/;

/** A line of Python that runs when the module is imported. */
export interface ImportLine {
  readonly text: string;
  /** It stands in a block or a class: it may run, or not. */
  readonly isNested: boolean;
}

/** Lines outside of functions and of the part for the program; the heads of functions are lines too. `code` is a view. */
export function pythonAtImport(code: string): ImportLine[] {
  const found: ImportLine[] = [];
  let skipsFrom: number | undefined;
  for (const line of code.split('\n')) {
    const text = line.trim();
    if (text === '') continue;
    const indent = line.search(/\S/);
    if (skipsFrom !== undefined && indent > skipsFrom) continue;
    const isDef = DEF.test(text);
    skipsFrom = isDef || GUARD.test(text) ? indent : undefined;
    if (GUARD.test(text)) continue;
    // What stands behind the head is the body.
    found.push({ text: isDef ? text.replace(/\)\s*(?:->[^:]*)?:.*/, '):') : text, isNested: indent > 0 });
  }
  return found;
}

/** Blocks of JavaScript that do not run when it is loaded: functions, and what asks whether it is the program. */
const FUNCTION_HEAD =
  /(?:=>|\bfunction\b[^(){}]*\([^{}]*\)|(?:^|[;{},\n])\s*(?:(?:async|get|set|static)\s+)*[\w$#]+\s*\([^{}]*\))\s*(?::[^{}=;]*)?$/;
const STATEMENT_HEAD = /(?:^|[;{}\n\s])(?:if|for|while|switch|catch|with)\s*\([^{}]*\)\s*$/;
const PROGRAM_HEAD = /\bif\s*\([^{}\n]*(?:require\.main|import\.meta|process\.argv)[^{}\n]*\)\s*$/;
/** `(() => {`, `(function () {`, `!async function () {`: it is called where it stands. */
const CALLED_AT_ONCE =
  /(?:^|[;{}\n]|\bawait|\bvoid|=)\s*[(!+~-]+\s*(?:async\s*)?(?:function\b[^(){}]*)?\([^(){}]*\)\s*(?:=>)?\s*$/;

/** The text without the bodies of functions; `bare` is the same text without what stands in quotes. */
export function javascriptAtImport(code: string, bare: string): string {
  const skipped: boolean[] = [];
  let out = '';
  let from = 0;
  for (const { index, 0: brace } of bare.matchAll(/[{}]/g)) {
    if (!skipped.includes(true)) out += code.slice(from, index);
    if (brace === '}') skipped.pop();
    else skipped.push(isLater(bare.slice(Math.max(0, index - 300), index)));
    out += brace;
    from = index + 1;
  }
  return skipped.includes(true) ? out : out + code.slice(from);
}

function isLater(head: string): boolean {
  if (PROGRAM_HEAD.test(head)) return true;
  if (STATEMENT_HEAD.test(head) || CALLED_AT_ONCE.test(head)) return false;
  return FUNCTION_HEAD.test(head);
}
