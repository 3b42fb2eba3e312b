const TEST_FOLDERS = /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\//i;

/** File names by which the runners themselves find tests. */
const TEST_FILES: readonly RegExp[] = [
  /^tests?[-_.][^/]*$/i,
  /^tests?\.\w+$/i,
  /^[^/]+[-_.](?:tests?|specs?)\.[^/]+$/i,
  /^[^/]+(?:Test|Tests|Spec|IT)\.(?:java|kt|kts|scala|groovy|cs|swift|php|m)$/,
  /^conftest\.py$/,
];

/** True for files that are tests by their name or their folder. `path` uses `/`. */
export function isTestLike(path: string): boolean {
  return inTestFolder(path) || isTestFile(path);
}

/** True for files that lie in a folder for tests. */
export function inTestFolder(path: string): boolean {
  return TEST_FOLDERS.test(path);
}

/** True for files that are tests by their own name. */
export function isTestFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return TEST_FILES.some((pattern) => pattern.test(name));
}

/** Beginnings of a word that say that a script judges: `check-all.sh`, `verify.py`, `scorer.js`. */
const JUDGING =
  /^(?:check(?!out)|verif|validat|valid$|grad(?:e|ing)|judg|scor(?:e|ing)|eval|test|spec$|specs$|assert|accept|expect|prove$|proof|probe|lint|qa$|bench|audit|smoke|oracle)/;
/** The same as the end of a word: `runtests.py`, `precheck.sh`, `mytest.js`. */
const JUDGING_END =
  /(?:tests|specs|checks?|verify)$|^(?:run|my|unit|smoke|self|load|e2e|integration|do|py|all|auto)test$/;

/** True for names of scripts that say that they judge: any word of the name, split at `-`, `_`, `.` and humps. */
export function isJudgeLike(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => JUDGING.test(word) || JUDGING_END.test(word));
}
