/** One path that differs between two trees. */
export interface ChangedFile {
  /** Relative to the workspace, with `/`; bytes that are not UTF-8 are escaped as `\xNN`. */
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
}
