// Strings (OSC, DCS, SOS, PM, APC) up to BEL or ST; CSI sequences; charset choices; two-character escapes.
const ESCAPES =
  /\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]+[0-~]|\u001b[0-~]/g;

/** The text without colours, cursor moves, links, titles and other terminal sequences. */
export function stripAnsi(text: string): string {
  return text.replace(ESCAPES, '');
}

/** At most `max` characters: a quarter from the head, a line that says how much was left out, then the tail. */
export function headAndTail(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = max - leftOut(text.length).length;
  if (room <= 0) return tailFrom(text, text.length - Math.max(0, max));
  const headSize = Math.floor(room / 4);
  const head = isHighSurrogate(text, headSize - 1) ? text.slice(0, headSize - 1) : text.slice(0, headSize);
  const tail = tailFrom(text, text.length - (room - headSize));
  return head + leftOut(text.length - head.length - tail.length) + tail;
}

function leftOut(count: number): string {
  return `\n… ${count} characters left out …\n`;
}

function tailFrom(text: string, from: number): string {
  return text.slice(isHighSurrogate(text, from - 1) ? from + 1 : from);
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}

/** Bytes as text: invalid UTF-8 becomes U+FFFD, NUL the two characters `\0`. */
export function printable(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.includes(0) ? nulShown(bytes) : bytes);
}

/** In bytes: replacing in a text that is all NUL takes fifty times its memory. */
function nulShown(bytes: Uint8Array): Uint8Array {
  const shown = new Uint8Array(bytes.length * 2);
  let length = 0;
  for (const byte of bytes) {
    if (byte === 0) shown[length++] = 0x5c;
    shown[length++] = byte === 0 ? 0x30 : byte;
  }
  return shown.subarray(0, length);
}
