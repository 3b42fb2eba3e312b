/**
 * Where checks run: bound over the workspace's own path by bubblewrap, a folder
 * of its own, or the workspace itself with the judge put back. Best first.
 */
export type RoomKind = 'bound' | 'folder' | 'workspace';

/** A command line for a shell, or a program with its arguments. */
export type Command =
  | { readonly shell: string }
  | { readonly file: string; readonly args: readonly string[] };

/** A process that a check wants to start. */
export interface Call {
  readonly command: Command;
  /** Absolute, in the tree as this process sees it. */
  readonly cwd: string;
  /** Complete. */
  readonly env: Readonly<Record<string, string>>;
}

/** A tree that the agent cannot touch: the start of the run and its accepted changes. */
export interface Room {
  readonly kind: RoomKind;
  /** Absolute path of the workspace's place in the tree, as this process sees it. */
  readonly workdir: string;
  /** The same place as processes of checks see it; it is the workspace's own path where the room is bound. */
  readonly seenAt: string;
  /** The call as it has to be made from outside, so that it runs inside. */
  readonly enter: (call: Call) => Call;
  close(): Promise<void>;
}
