/** Where a path inside a root leads, or why it may not be used. */
export type Resolved =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly because: string };

/** Writes a file whole or not at all: a sibling is written, then renamed. Makes the folders above it. */
export declare function writeAtomically(file: string, content: string | Uint8Array): Promise<void>;

/** The absolute path of `path` inside `root`, all links followed; refused where it leads outside. */
export declare function resolveInside(root: string, path: string): Promise<Resolved>;
