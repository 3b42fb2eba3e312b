// CSI, OSC (ended by BEL or ST), DCS/SOS/PM/APC strings, charset choices and two-character escapes.
const ESCAPES = /[\u001b\u009b]\[?[0-?]*[ -/]*[@-~]/g;
/** The text without colours, cursor moves and other terminal sequences. */
export function stripAnsi(text: string): string {
  return text.replace(ESCAPES, '');
}

/** At most `max` characters: a quarter from the head, a line that says how much was left out, the tail. */
export declare function headAndTail(text: string, max: number): string;

/** Bytes as text: invalid UTF-8 becomes U+FFFD, NUL the two characters `\0`. */
export declare function printable(bytes: Uint8Array): string;
