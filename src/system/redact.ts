import { type Secret, secretsIn } from './secrets.ts';

/** Takes the values of secrets out of a text that is whole. */
export interface Redactor {
  (text: string): string;
  /** How many secrets it knows. */
  readonly secrets: number;
  /** The same for a text that comes in pieces: a secret that is split over two of them is found. */
  readonly pieces: () => Pieces<string>;
  /** The same for bytes. */
  readonly bytes: () => Pieces<Uint8Array>;
}

/** Gives back what can be told of so far; the rest at the end. */
export interface Pieces<Piece> {
  push(piece: Piece): Piece;
  end(): Piece;
}

/**
 * Replaces the values of variables that look like keys (and the credentials inside URLs) by `<redacted NAME>`: as they
 * are, as base64 (with line breaks too), hexadecimal, URL, JSON and XML write them, and a half that a cut has left.
 */
export function redactor(variables: Readonly<Record<string, string | undefined>>): Redactor {
  return redactorOf(secretsIn(variables));
}

/** The same for values that are known to be secret. */
export function redactorOf(secrets: readonly Secret[]): Redactor {
  if (secrets.length === 0)
    return Object.assign((text: string) => text, {
      secrets: 0,
      pieces: asItIs<string>(''),
      bytes: asItIs(NONE),
    });
  const forms = new Forms(secrets);
  const inBytes = new Forms(secrets, (form) => Buffer.from(form).toString('latin1'));
  return Object.assign((text: string) => forms.cutEnds(forms.replace(text)), {
    secrets: secrets.length,
    pieces: () => new Held(forms),
    bytes: () => {
      const held = new Held(inBytes);
      return {
        push: (piece: Uint8Array) => Buffer.from(held.push(Buffer.from(piece).toString('latin1')), 'latin1'),
        end: () => Buffer.from(held.end(), 'latin1'),
      };
    },
  });
}

const NONE: Uint8Array = new Uint8Array();
const asItIs =
  <Piece>(end: Piece) =>
  (): Pieces<Piece> => ({ push: (piece) => piece, end: () => end });

/** Shorter forms would be found by chance. */
const SHORTEST = 8;
/** A half of a secret that is shorter tells little, and is found by chance. */
const SHORTEST_HALF = 6;
/** Nothing cuts a text to less than this without a sign. */
const SHORTEST_CUT = 150;
const BREAKS = /\r?\n/g;

/** Every way in which the secrets are written. */
class Forms {
  readonly #names = new Map<string, string>();
  readonly #pattern: RegExp;
  /** Forms that tools break into lines. */
  readonly #wrapped: readonly { readonly form: string; readonly pattern: RegExp }[];
  /** Without line breaks, by their first sign. */
  readonly #byFirst = new Map<string, string[]>();
  /** Of the longest form, with line breaks in it. */
  readonly #longest: number;

  constructor(secrets: readonly Secret[], encode: (form: string) => string = (form) => form) {
    const wrapped = new Set<string>();
    for (const { name, value } of secrets) {
      const encoded = base64Forms(Buffer.from(value));
      for (const form of [...plainForms(value), ...encoded].map(encode)) {
        if (form.length >= SHORTEST && !this.#names.has(form)) this.#names.set(form, name);
      }
      for (const form of encoded) if (form.length >= SHORTEST) wrapped.add(form);
    }
    // The longest first: one secret may hold another.
    const forms = [...this.#names.keys()].sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(forms.map(escaped).join('|'), 'g');
    this.#wrapped = [...wrapped]
      .sort((a, b) => b.length - a.length)
      .map((form) => ({ form, pattern: new RegExp([...form].map(escaped).join('(?:\\r?\\n)?'), 'g') }));
    for (const form of forms) {
      const flat = form.replace(/[\r\n]+/g, '');
      this.#byFirst.set(flat.charAt(0), [...(this.#byFirst.get(flat.charAt(0)) ?? []), flat]);
    }
    this.#longest = 2 * (forms[0]?.length ?? 0);
  }

  replace(text: string): string {
    let rest = 0;
    let clean = '';
    for (const { start, end, form } of this.matches(text)) {
      clean += `${text.slice(rest, start)}<redacted ${this.#names.get(form)}>`;
      rest = end;
    }
    return rest === 0 ? text : clean + text.slice(rest);
  }

  /** In their order; no two overlap. */
  matches(text: string): readonly Match[] {
    const found = [...text.matchAll(this.#pattern)].map(({ 0: form, index }) => matchOf(form, form, index));
    if (!text.includes('\n')) return found;
    const flat = text.replace(BREAKS, '');
    for (const { form, pattern } of this.#wrapped) {
      if (!flat.includes(form)) continue;
      for (const { 0: seen, index } of text.matchAll(pattern)) {
        const match = matchOf(form, seen, index);
        if (!found.some((other) => other.start < match.end && match.start < other.end)) found.push(match);
      }
    }
    return found.sort((one, other) => one.start - other.start);
  }

  /** How much of a text can be told of, whatever comes behind it. */
  sureOf(text: string): number {
    let sure = this.#openAt(text, 0);
    for (const { start, end } of this.matches(text))
      if (start < sure && end > sure) sure = this.#openAt(text, end);
    return sure;
  }

  /** Where a form begins that may go on behind the end of the text; its length where none does. */
  #openAt(text: string, from: number): number {
    for (let at = Math.max(from, text.length - this.#longest); at < text.length; at++) {
      const forms = this.#byFirst.get(text.charAt(at));
      if (!forms) continue;
      const tail = text.slice(at).replace(/[\r\n]+/g, '');
      if (forms.some((form) => form.length > tail.length && form.startsWith(tail))) return at;
    }
    return text.length;
  }

  /** Halves of a secret at the ends of a text that was cut, and around the sign of a cut inside it. */
  cutEnds(text: string): string {
    const isLong = text.length >= SHORTEST_CUT;
    if (!isLong && !text.includes('…')) return text;
    const parts = text.split(CUT);
    const last = parts.length - 1;
    return parts
      .map((part, i) => {
        if (i % 2 === 1) return part;
        const ending = i < last || isLong ? this.#withoutEnd(part) : part;
        return i > 0 || isLong ? this.#withoutStart(ending) : ending;
      })
      .join('');
  }

  #withoutEnd(text: string): string {
    for (const [form, name] of this.#names) {
      const half = halfAtEnd(text, form);
      if (half > 0) return `${text.slice(0, text.length - half)}<redacted ${name}>`;
    }
    return text;
  }

  #withoutStart(text: string): string {
    for (const [form, name] of this.#names) {
      const half = halfAtStart(text, form);
      if (half > 0) return `<redacted ${name}>${text.slice(half)}`;
    }
    return text;
  }
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly form: string;
}

const matchOf = (form: string, seen: string, start: number): Match => ({
  start,
  end: start + seen.length,
  form,
});

/** What stands in a text where something was left out of it. */
const CUT = /(\n?… (?:\d+ (?:bytes|characters) left out …)?\n?| ?…)/;

function halfAtEnd(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= SHORTEST_HALF; length--)
    if (text.endsWith(form.slice(0, length))) return length;
  return 0;
}

function halfAtStart(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= SHORTEST_HALF; length--)
    if (text.startsWith(form.slice(form.length - length))) return length;
  return 0;
}

/** Holds back what may be the beginning of a secret. */
class Held implements Pieces<string> {
  readonly #forms: Forms;
  #kept = '';

  constructor(forms: Forms) {
    this.#forms = forms;
  }

  push(piece: string): string {
    const text = this.#kept + piece;
    const sure = this.#forms.sureOf(text);
    this.#kept = text.slice(sure);
    return this.#forms.replace(text.slice(0, sure));
  }

  end(): string {
    const rest = this.#forms.replace(this.#kept);
    this.#kept = '';
    return rest;
  }
}

/** Lines of a key file are told by themselves too. */
const SHORTEST_LINE = 20;

function plainForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(bytes.toString());
  const lines = secret.split(BREAKS).map((line) => line.trim());
  const hex = bytes.toString('hex');
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    url.replaceAll('%20', '+'),
    asXml(secret),
    hex,
    hex.toUpperCase(),
    ...(lines.length > 1
      ? lines.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith('-----'))
      : []),
  ];
}

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const asXml = (text: string) => text.replace(/[&<>"]/g, (sign) => XML[sign] ?? sign);

/** What base64 makes of the bytes wherever they stand in a longer text: three shifts, without the shared edges. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const from = Math.ceil((shift * 8) / 6);
    const to = Math.floor((shifted.length * 8) / 6);
    return [shifted.toString('base64').slice(from, to), shifted.toString('base64url').slice(from, to)];
  });
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
