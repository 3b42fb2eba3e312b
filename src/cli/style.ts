import { createRequire } from 'node:module';
import type Picocolors from 'picocolors';
import type { Screen } from '../observers/status-line.ts';
import { ASCII, type Colours, NO_COLOURS, type Style, UNICODE, widthFor } from '../observers/style.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * How text looks on `stream`. Colour only on a terminal, never where `NO_COLOR`
 * is set or `TERM` is `dumb`; `FORCE_COLOR` gives a pipe colour too. A locale
 * that is not UTF-8 gets ASCII.
 */
export function styleFor(stream: Screen, env: Variables): Style {
  return {
    // Asked each time: terminals change their size.
    get width() {
      return widthFor(stream.isTTY ? stream.columns : undefined);
    },
    colours: hasColour(stream, env) ? colours() : NO_COLOURS,
    symbols: isUtf8(env) ? UNICODE : ASCII,
  };
}

/** Loaded only where there is colour, and by `require`: that is quicker than an `import` of a CommonJS package. */
function colours(): Colours {
  const picocolors: typeof Picocolors = createRequire(import.meta.url)('picocolors');
  return picocolors.createColors(true);
}

/** True where a line can be drawn over: a terminal that is not dumb. */
export function isLive(stream: Screen, env: Variables): boolean {
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

function hasColour(stream: Screen, env: Variables): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isLive(stream, env);
}

function isUtf8(env: Variables): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  if (locale) return /utf-?8/i.test(locale);
  return process.platform === 'win32' || process.platform === 'darwin';
}
