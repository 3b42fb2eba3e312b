/** One thing that `loopgen doctor` looked at. */
export interface Finding {
  readonly about: 'loopgen' | 'rooms' | 'checks' | 'agents';
  readonly name: string;
  /** `advice`: it can be used, but something is to be said. `absent`: only those who want it miss it. `needed`: no run can do without it. */
  readonly status: 'ok' | 'advice' | 'absent' | 'needed';
  readonly version?: string;
  /** Path of its program. */
  readonly program?: string;
  /** In a few words, with the command that mends it; empty where there is nothing to say. */
  readonly says: string;
}
