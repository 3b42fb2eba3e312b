import type { Diagnosis } from '../compose/doctor.ts';
import type { Finding } from '../compose/finding.ts';
import type { Style } from '../observers/style.ts';
import { displayWidth, oneLine, wrap } from '../observers/text-width.ts';
import { signedRows } from './signed-rows.ts';

/** What each subject is, in the order of the screen. */
const TITLES: Readonly<Record<Finding['about'], string>> = {
  loopgen: 'loopgen',
  rooms: 'rooms, in which checks run',
  checks: 'what runs checks',
  agents: 'agents',
};

/** A block for each subject, and whether loopgen can run at all. */
export function renderDoctor({ version, ok, findings }: Diagnosis, style: Style): string {
  const { colours } = style;
  const width = Math.max(0, ...findings.map(({ name }) => displayWidth(oneLine(name))));
  const blocks = Object.entries(TITLES).map(([about, title]) => {
    const head = colours.bold(about === 'loopgen' ? `${title} ${version}` : title);
    const rows = findings.filter((finding) => finding.about === about);
    return [head, ...rows.flatMap((finding) => findingRows(finding, width, style))].join('\n');
  });
  const needed = findings.filter(({ status }) => status === 'needed').map(({ name }) => name);
  const end = ok
    ? colours.green('nothing is missing that every run needs')
    : wrap(`missing, and no run can do without: ${needed.join(', ')}`, style.width)
        .map(colours.red)
        .join('\n');
  return [...blocks, end].join('\n\n');
}

function findingRows({ name, status, version, says }: Finding, width: number, style: Style): string[] {
  const { colours, symbols } = style;
  const signs = {
    ok: colours.green(symbols.pass),
    advice: colours.yellow(symbols.unusable),
    absent: colours.dim(symbols.dot),
    needed: colours.red(symbols.fail),
  };
  const text = [version, says].filter(Boolean).join(', ');
  return signedRows({ sign: signs[status], name, text, width }, style);
}
