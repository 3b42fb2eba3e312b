import type { MergeContext, Merged } from './merged.ts';
import { type Element, elementsOf, plainXml } from './xml.ts';

/** Sections that say what the project is and needs. Every other one says how it is built and tested. */
const DESCRIBING = new Set([
  ...['modelVersion', 'groupId', 'artifactId', 'version', 'name', 'description', 'url', 'inceptionYear'],
  ...['organization', 'licenses', 'developers', 'contributors', 'mailingLists', 'scm', 'issueManagement'],
  ...['ciManagement', 'distributionManagement'],
]);

/** Properties that plug-ins read by themselves, so that no section has to name them. */
const JUDGING_PROPERTY =
  /skip|ignore|surefire|failsafe|^test$|^it\.test$|^maven\.(?:test|ext|repo|resources|clean)|[tT]ests?\b|^(?:excluded)?[gG]roups$|argLine|^jacoco|^(?:failIf|jvm|debugForked|rerunFailing|enableAssertions|groups)|^(?:includes?|excludes?)\w*$|checkstyle|spotbugs|^pmd|^cpd/;

/** A jar of the workspace in the place of a library. */
const SYSTEM_JAR = /<\s*systemPath\b|<scope>\s*system\s*</;

/** The agent's project file with the start's build, profiles, parent, and the properties that these read. */
export function mergePom(start: string, agents: string, { governs }: MergeContext): Merged {
  if (start === '') return { text: agents, kept: [] };
  const ours = sectionsOf(start);
  const theirs = sectionsOf(agents);
  if (!theirs) return { text: start, kept: ['all of it (it cannot be read)'] };
  if (!ours) return { text: agents, kept: [] };
  const names = [...new Set([...ours, ...theirs].map(({ name }) => name))];
  const merged = names.map((name) => ({ name, ...section(name, ours, theirs, governs) }));
  const kept = merged.flatMap(({ kept }) => kept);
  if (kept.length === 0) return { text: agents, kept };
  const body = merged.map(({ text }) => text).filter((text) => text !== '');
  const [head, tail] = around(agents);
  return { text: `${head}\n${body.join('\n')}\n${tail}`, kept };
}

interface MergedSection {
  readonly text: string;
  readonly kept: readonly string[];
}

function section(
  name: string,
  ours: readonly Element[],
  theirs: readonly Element[],
  governs: boolean,
): MergedSection {
  const textIn = (all: readonly Element[]) => all.filter((one) => one.name === name);
  const [before, after] = [textIn(ours), textIn(theirs)];
  const agents = textOf(after);
  if (DESCRIBING.has(name)) return { text: agents, kept: [] };
  if (name === 'properties') return properties(before, after, ours, governs);
  if (name === 'modules') return modules(before, after);
  const isFree = name === 'dependencies' || name === 'dependencyManagement';
  if (isFree && (!SYSTEM_JAR.test(plainXml(agents)) || same(before, after)))
    return { text: agents, kept: [] };
  if (same(before, after) || (!governs && before.length === 0)) return { text: agents, kept: [] };
  return { text: textOf(before), kept: [`<${name}>`] };
}

/** Those that judge are the start's. */
function properties(
  before: readonly Element[],
  after: readonly Element[],
  ours: readonly Element[],
  governs: boolean,
): MergedSection {
  const read = new Set(
    [
      ...textOf(ours.filter(({ name }) => !DESCRIBING.has(name) && !FREE.has(name))).matchAll(
        /\$\{([^}]+)\}/g,
      ),
    ].map(([, name = '']) => name),
  );
  const old = entriesOf(before);
  const now = entriesOf(after);
  const judges = ({ name }: Element) =>
    (JUDGING_PROPERTY.test(name) || read.has(name)) && (governs || old.some((one) => one.name === name));
  const names = [...new Set([...old, ...now].filter(judges).map(({ name }) => name))];
  const valueIn = (all: readonly Element[], name: string) => all.filter((one) => one.name === name);
  const kept = names.filter((name) => !same(valueIn(old, name), valueIn(now, name)));
  if (kept.length === 0) return { text: textOf(after), kept: [] };
  const all = [...now.filter((one) => !judges(one)), ...old.filter(judges)];
  return { text: `<properties>\n${textOf(all)}\n</properties>`, kept: kept.map((name) => `<${name}>`) };
}

/** Those of the start stay a part of the build; new ones come in. */
function modules(before: readonly Element[], after: readonly Element[]): MergedSection {
  const now = entriesOf(after);
  const values = new Set(now.map(({ inner }) => inner.trim()));
  const gone = entriesOf(before).filter(({ inner }) => !values.has(inner.trim()));
  if (gone.length === 0) return { text: textOf(after), kept: [] };
  return { text: `<modules>\n${textOf([...gone, ...now])}\n</modules>`, kept: ['<modules>'] };
}

const FREE = new Set(['properties', 'modules', 'dependencies', 'dependencyManagement']);

function entriesOf(sections: readonly Element[]): readonly Element[] {
  return sections.flatMap(({ inner }) => elementsOf(inner) ?? []);
}

function same(a: readonly Element[], b: readonly Element[]): boolean {
  return plainXml(textOf(a)) === plainXml(textOf(b));
}

function textOf(elements: readonly Element[]): string {
  return elements.map(({ text }) => text).join('\n');
}

/** Sections of the project; undefined where there is no project in the text. */
function sectionsOf(text: string): readonly Element[] | undefined {
  const project = projectOf(text);
  return project && elementsOf(project.inner);
}

function projectOf(text: string): Element | undefined {
  const all = elementsOf(text);
  return all?.length === 1 && all[0]?.name === 'project' ? all[0] : undefined;
}

/** What stands before the first section, and after the last one. */
function around(text: string): readonly [string, string] {
  const project = projectOf(text);
  if (!project || project.inner === '') return ['<project>', '</project>\n'];
  const { inner, innerFrom } = project;
  return [text.slice(0, innerFrom), text.slice(innerFrom + inner.length)];
}
