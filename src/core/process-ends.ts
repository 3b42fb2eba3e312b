/**
 * Ways to end a process past everything that would notice it, or to settle how it ends. They meet the `code` view of
 * a text, in which the names of imported modules stand as `@module`. A plain `sys.exit` or `process.exit` is none.
 */

const OS = String.raw`@(?:os|posix|nt)\b`;
const LOADED = String.raw`(?:@(?:os|posix|nt|sys|builtins|signal)\b|\b__import__\(|\bimport_module\(|\bmodules\[)`;
const ENDING = String.raw`_exit|_Exit|quick_exit|exit|abort|kill|killpg|raise|tgkill|syscall|exec[lv]\w*`;
/** A name that is worked out, or one of these. */
const HIDDEN = String.raw`(?:(?!\s*['"]\w+['"]\s*[,)\]])|\s*['"](?:${ENDING})['"])`;

const PYTHON: readonly string[] = [
  String.raw`${OS}\.(?:_exit|abort|exec[lv]p?e?|posix_spawn\w*)\b`,
  String.raw`${OS}\.(?:kill|killpg|pidfd_open)\(\s*${OS}\.getp`,
  String.raw`@signal\.(?:raise_signal|pthread_kill)\b`,
  String.raw`(?<!\b(?:self|cls|def)[. ])(?<!\w)_exit\s*\(`,
  String.raw`\bgetattr\(\s*${LOADED}[^\n,]*,${HIDDEN}`,
  String.raw`(?:\bvars\(\s*${OS}\s*\)|${OS}\.__dict__)\s*(?:\[${HIDDEN}|\.get\()`,
  String.raw`@ctypes\b[^\n]*(?:\.|['"])(?:${ENDING})\b`,
  String.raw`\bkill\b[^\n]*(?:\bgetpp?id\b|\$\$|\$PPID)|\bgetpp?id\b[^\n]*\bkill\b`,
];
/** A library of C under a name of its own: `libc = ctypes.CDLL(None)`, `libc._exit(0)` further down. */
const C_LIBRARY = /\b(\w+)\s*=\s*@ctypes\b[^\n]*(?:CDLL|cdll|LoadLibrary|pythonapi)\b/g;

export const PYTHON_ENDS = new RegExp(PYTHON.join('|'));

const PROCESS = String.raw`(?<![\w.$])@?(?:(?:globalThis|global)(?:\.|\[['"\`])@?)?process(?:['"\`]\])?`;
const JS: readonly string[] = [
  String.raw`${PROCESS}\s*\??\.\s*(?:reallyExit|abort|_kill|binding)\b`,
  String.raw`${PROCESS}\s*\.\s*kill\(\s*(?:${PROCESS}\s*\.\s*p?pid|@process\.p?pid)`,
  String.raw`${PROCESS}\s*(?:\?\.)?\[(?!\s*['"\`](?!(?:exit|reallyExit|abort|kill|exitCode)['"\`])\w+['"\`]\s*\])`,
  String.raw`(?:\bReflect\.\w+|\bObject\.(?:defineProperty|defineProperties|assign))\(\s*${PROCESS}\s*,(?!\s*['"\`](?!exit|reallyExit|abort|kill|emit)\w+['"\`])`,
  String.raw`${PROCESS}\s*\.\s*exitCode\s*=\s*0\b`,
  String.raw`\{[^{}\n]*\b(?:reallyExit|abort|kill)\b[^{}\n]*\}\s*=\s*${PROCESS}\s*[;\n]`,
  String.raw`@process\.(?:reallyExit|abort)\b`,
  String.raw`\bglobalThis\[[^\]\n]*\]\s*\.\s*(?:exit|reallyExit|abort|kill)\(`,
  String.raw`['"\`]kill\b[^\n]*\b(?:process\.p?pid|\$PPID)`,
];
/** Another name for it. */
const JS_ALIAS = new RegExp(String.raw`\b(?:const|let|var)\s+([\w$]+)\s*=\s*${PROCESS}\s*(?:;|$)`, 'gm');

export const JS_ENDS = new RegExp(JS.join('|'));

/** `os.Exit` in `init` or in what is no program, and what goes past the runtime. */
export const GO_ENDS =
  /\bsyscall\.(?:Exit|Kill|Exec|RawSyscall6?|Syscall6?)\(|\bunix\.(?:Exit|Kill|Exec)\(|\bfunc\s+init\(\)\s*\{[^}]*\bos\.Exit\(|\bos\.Exit\(\s*0\s*\)(?<!^package\s+main\b[\s\S]*)/m;
/** The same; a file with `fn main` is a program. */
export const RUST_ENDS =
  /\blibc::(?:_exit|exit|abort|kill|raise|syscall|execv\w*)\b|\bprocess::(?:exit\(\s*0\s*\)|abort\(\s*\))(?<!\bfn\s+main\s*\([\s\S]*)(?![\s\S]*\bfn\s+main\s*\()/;

/** All of them, with those by a name that the text itself gives. */
export function pythonEnds(code: string): RegExp {
  const own = [...code.matchAll(C_LIBRARY)].map(
    ([, name = '']) => String.raw`(?<![\w.])${name}\.(?:${ENDING})\b|\bgetattr\(\s*${name}\s*,`,
  );
  return new RegExp([PYTHON_ENDS.source, ...own].join('|'));
}

export function javascriptEnds(code: string): RegExp {
  const own = [...code.matchAll(JS_ALIAS)].map(
    ([, name = '']) =>
      String.raw`(?<![\w.$])${name.replaceAll('$', String.raw`\$`)}\s*(?:\.\s*(?:exit|reallyExit|abort|kill|exitCode)\b|\[)`,
  );
  return new RegExp([JS_ENDS.source, ...own].join('|'));
}
