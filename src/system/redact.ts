/** Takes the values of secrets out of a text. */
export type Redactor = (text: string) => string;

const SECRET_NAME =
  /(?:^|_)(?:[A-Z0-9]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE)|PASS|PWD|PAT|CREDENTIALS?|AUTH|AUTHORIZATION|COOKIE|DSN)S?(?:_|$)/i;
/** Names of places and settings, which hold no secret whatever else is in the name. */
const NO_SECRET_NAME =
  /(?:_|^)(?:PATH|FILE|DIR|HOME|SOCK|PWD_DIR|PARALLELISM|ID|LAYOUT|TYPE)$|^(?:OLD)?PWD$/i;
const SHORTEST = 8;

/**
 * Replaces the values of variables that look like keys (and the passwords inside URLs) by `<redacted NAME>`, as they
 * are and as base64, hexadecimal, URL and JSON write them. Values under 8 characters stay: they are in every text.
 * Works on whole texts; a secret that is split over two calls is not seen.
 */
export function redactor(env: Readonly<Record<string, string | undefined>>): Redactor {
  const replacements = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    for (const secret of secretsOf(name, value ?? '')) {
      for (const form of formsOf(secret))
        if (!replacements.has(form)) replacements.set(form, `<redacted ${name}>`);
    }
  }
  if (replacements.size === 0) return (text) => text;
  // The longest first: one secret may hold another.
  const forms = [...replacements.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map(escaped).join('|'), 'g');
  return (text) => text.replace(pattern, (found) => replacements.get(found) ?? found);
}

function secretsOf(name: string, value: string): string[] {
  const found = SECRET_NAME.test(name) && !NO_SECRET_NAME.test(name) ? [value.trim()] : [];
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*?:([^/@\s]+)@/i.exec(value)?.[1];
  if (password !== undefined) found.push(password);
  return found.filter((secret) => secret.length >= SHORTEST);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(bytes.toString()),
    bytes.toString('hex'),
    ...base64Forms(bytes),
  ].filter((form) => form.length >= SHORTEST);
}

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
