import { describe, expect, test } from 'vitest';
import { mergeManifest } from '../../src/core/manifests/merge.ts';
import { keepResolution } from '../../src/core/manifests/package-resolution.ts';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function merged(path: string, start: string | undefined, agents: string, governs = true) {
  const result = mergeManifest(path, start, agents, { governs });
  if (!result) throw new Error('no manifest');
  return result;
}

test('a file that is no manifest is not merged', () => {
  expect(mergeManifest('src/a.ts', 'a', 'b')).toBeUndefined();
});

describe('package.json', () => {
  test('scripts and runner sections are the start’s, the rest is the agent’s', () => {
    const start = json({ name: 'a', scripts: { test: 'jest' }, jest: { verbose: true } });
    const agents = json({
      name: 'b',
      scripts: { test: 'true', build: 'tsc' },
      jest: {},
      dependencies: { x: '1' },
    });
    const { text, kept, added } = merged('sub/package.json', start, agents);
    expect(JSON.parse(text)).toEqual({
      name: 'b',
      scripts: { test: 'jest', build: 'tsc' },
      jest: { verbose: true },
      dependencies: { x: '1' },
    });
    expect(kept).toEqual(['jest', 'scripts.test']);
    expect(added).toEqual(['build']);
  });

  test('without a difference in them it is the agent’s text, byte by byte', () => {
    const agents = '{"scripts":{"test":"jest"},   "version":"2"}';
    expect(merged('package.json', json({ scripts: { test: 'jest' } }), agents)).toEqual({
      text: agents,
      kept: [],
    });
  });

  test('a script that npm would run beside one of the start does not go in', () => {
    const agents = json({
      scripts: { test: 'jest', posttest: 'x', prepare: 'y', prebuild: 'z', build: 'b' },
    });
    const { text, kept } = merged('package.json', json({ scripts: { test: 'jest' } }), agents);
    expect(JSON.parse(text).scripts).toEqual({ test: 'jest', prebuild: 'z', build: 'b' });
    expect(kept).toEqual(['scripts.posttest', 'scripts.prepare']);
  });

  test('a deleted script is there', () => {
    const { text } = merged('package.json', json({ scripts: { test: 'jest' } }), json({ name: 'x' }));
    expect(JSON.parse(text)).toEqual({ name: 'x', scripts: { test: 'jest' } });
  });

  test('text that is no JSON goes in as it is, since nothing can read it', () => {
    expect(merged('package.json', json({ scripts: { test: 'jest' } }), '{ "a": ').text).toBe('{ "a": ');
  });

  test('where it governs no test of the start, new runner sections are the agent’s', () => {
    const agents = json({ scripts: { test: 'jest' }, jest: { verbose: true } });
    expect(merged('package.json', json({}), agents, false).kept).toEqual([]);
    expect(merged('package.json', json({}), agents, true).kept).toEqual(['jest']);
    expect(merged('package.json', json({ jest: {} }), agents, false).kept).toEqual(['jest']);
  });
});

describe('pyproject.toml', () => {
  const START =
    '[project]\nname = "a"\n\n[tool.pytest.ini_options]\naddopts = "-q" # quiet\ntestpaths = [\n  "tests",\n]\n\n[tool.setuptools]\nzip-safe = 100\n';

  test('tables of runners are the start’s, the rest is the agent’s', () => {
    const agents = START.replace('"-q"', '"--co"').replace('100', '88').replace('name = "a"', 'name = "b"');
    const { text, kept } = merged('pyproject.toml', START, agents);
    expect(kept).toEqual(['[tool.pytest]']);
    expect(text).toContain('addopts = "-q"');
    expect(text).not.toContain('--co');
    expect(text).toContain('zip-safe = 88');
    expect(text).toContain('name = "b"');
    expect(text.match(/\[tool\.pytest\.ini_options\]/g)).toHaveLength(1);
  });

  test('without a difference in them it is the agent’s text', () => {
    const agents = `# hello\n${START}`;
    expect(merged('pyproject.toml', START, agents)).toEqual({ text: agents, kept: [] });
  });

  test('deleted tables are there', () => {
    const { text } = merged('pyproject.toml', START, '[project]\nname = "a"\n');
    expect(text).toContain('addopts = "-q"');
  });

  test.each([
    ['a dotted key', 'tool.pytest.ini_options.addopts = "--co"\n[project]\nname = "a"\n'],
    ['quoted parts', '[project]\nname = "a"\n[ "tool" . \'pytest\' . ini_options ]\naddopts = "--co"\n'],
    ['escaped parts', '[project]\nname = "a"\n[tool."\\u0070ytest".ini_options]\naddopts = "--co"\n'],
    ['an inline table', '[project]\nname = "a"\n[tool]\npytest = { ini_options = { addopts = "--co" } }\n'],
    [
      'an inline table of all tools',
      'tool = { pytest = { ini_options = { addopts = "--co" } } }\n[project]\nname = "a"\n',
    ],
    ['an entry point of a plug-in', '[project]\nname = "a"\n[project.entry-points.pytest11]\nx = "--co"\n'],
    [
      'a table behind a text that looks like the end of one',
      '[project]\nname = """\n"""\n[tool.pytest]\nx = "--co"\n',
    ],
  ])('new configuration as %s does not go in', (_, agents) => {
    const { text, kept } = merged('pyproject.toml', '[project]\nname = "a"\n', agents);
    expect(kept.length).toBeGreaterThan(0);
    expect(text).not.toContain('--co');
    expect(text).toContain('[project]');
  });

  test('what only looks like a table, in a text or an array, is left alone', () => {
    const agents = '[project]\nreadme = """\n[tool.pytest.ini_options]\n"""\nx = [\n["tool"],\n]\n';
    expect(merged('pyproject.toml', '[project]\n', agents)).toEqual({ text: agents, kept: [] });
  });

  test('a text that cannot be taken apart is the start’s', () => {
    const { text, kept } = merged('pyproject.toml', START, '[project\nname = "\n');
    expect(text).toBe(START);
    expect(kept).toHaveLength(1);
  });

  test('where the start wrote it inside another table, a difference gives the whole start', () => {
    const start = '[tool]\npytest = { ini_options = { addopts = "-q" } }\n';
    expect(merged('pyproject.toml', start, '[tool]\npytest = { }\n').text).toBe(start);
  });
});

test('setup.cfg: sections of runners are the start’s, wherever a reader ends its lines', () => {
  const start = '[metadata]\nname = a\n\n[tool:pytest]\naddopts = -q\n';
  const agents =
    '[metadata]\nname = b\n\n[tool:pytest]\naddopts = --co\n\n[coverage:run]\nbranch = 1\n[options]\nx = 1\n';
  const { text, kept } = merged('setup.cfg', start, agents);
  expect(text).toBe('[metadata]\nname = b\n\n[options]\nx = 1\n[tool:pytest]\naddopts = -q\n');
  expect(kept).toEqual(['[tool:pytest]', '[coverage:run]']);
  expect(merged('setup.cfg', '', 'x = 1\f[tool:pytest]\naddopts = --co\n').kept).toEqual(['[tool:pytest]']);
});

test('Cargo.toml: what decides which tests run is the start’s, dependencies are the agent’s', () => {
  const start = '[package]\nname = "a"\n\n[dependencies]\n';
  const agents =
    '[package]\nname = "a"\nautotests = false\n\n[dependencies]\nserde = "1"\n\n[lib]\ntest = false\nname = "b"\n';
  const { text, kept } = merged('Cargo.toml', start, agents);
  expect(text).toBe('[package]\nname = "a"\n\n[dependencies]\nserde = "1"\n\n[lib]\nname = "b"\n');
  expect(kept).toEqual(['[lib.test]', '[package.autotests]']);
});

test('go.mod: replacements are the start’s, requirements are the agent’s', () => {
  const start = 'module m\n\nreplace a => ../a\n';
  const agents = 'module m\n\nrequire b v1.0.0\n\nreplace (\n\ta => ./fake\n)\n';
  const { text, kept } = merged('go.mod', start, agents);
  expect(text).toContain('require b v1.0.0');
  expect(text).toContain('replace a => ../a');
  expect(text).not.toContain('fake');
  expect(kept).toEqual(['replace']);
});

test('snapshots: entries of the start stay, new ones go in, and a format without entries stays whole', () => {
  const start = '// v1\n\nexports[`a 1`] = `1`;\n\nexports[`b 1`] = `\nexports\n`;\n';
  const agents = '// v1\n\nexports[`a 1`] = `2`;\n\nexports[`c 1`] = `3`;\n';
  const { text, kept } = merged('a.snap', start, agents);
  expect(text).toBe(
    '// v1\n\nexports[`a 1`] = `1`;\n\nexports[`c 1`] = `3`;\n\nexports[`b 1`] = `\nexports\n`;\n',
  );
  expect(kept).toEqual(['a 1', 'b 1']);
  expect(merged('x.snap', '---\nold\n', '---\nnew\n').text).toBe('---\nold\n');
});

describe('pom.xml', () => {
  const project = (body: string) =>
    `<?xml version="1.0"?>\n<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <artifactId>a</artifactId>\n${body}\n</project>\n`;
  const plugin = (name: string, more = '') => `<plugin><artifactId>${name}</artifactId>${more}</plugin>`;
  const BUILD = `<build>\n<plugins>\n${plugin('maven-surefire-plugin', `<version>$\{surefire}</version>`)}\n</plugins>\n</build>`;
  const START = project(
    `<properties><surefire>3.5.2</surefire><jackson>2.17</jackson></properties>\n<modules><module>core</module></modules>\n${BUILD}`,
  );
  const keptOf = (agents: string, start = START, governs = true) =>
    merged('pom.xml', start, agents, governs).kept;

  test('dependencies, coordinates, new modules and other properties are the agent’s, byte by byte', () => {
    const agents = START.replace('<artifactId>a<', '<artifactId>b<')
      .replace('<jackson>2.17', '<jackson>2.18')
      .replace('<modules>', '<modules><!-- two --><module>web</module>')
      .replace(
        '</project>',
        '<dependencies><dependency><artifactId>x</artifactId></dependency></dependencies>\n</project>',
      );
    expect(merged('pom.xml', START, agents)).toEqual({ text: agents, kept: [] });
  });

  test.each<[title: string, from: string, to: string, kept: readonly string[]]>([
    ['a plug-in', '</plugins>', `${plugin('exec-maven-plugin')}</plugins>`, ['<build>']],
    [
      'configuration of Surefire',
      '</version>',
      '</version><configuration><skipTests>true</skipTests></configuration>',
      ['<build>'],
    ],
    ['the folder of tests', '<build>', '<build><testSourceDirectory>none</testSourceDirectory>', ['<build>']],
    ['a profile', '<build>', '<profiles><profile><id>x</id></profile></profiles><build>', ['<profiles>']],
    ['a parent', '<build>', '<parent><artifactId>p</artifactId></parent><build>', ['<parent>']],
    ['packaging', '<build>', '<packaging>pom</packaging><build>', ['<packaging>']],
    ['where packages come from', '<build>', '<repositories/><build>', ['<repositories>']],
    [
      'a property that skips tests',
      '<properties>',
      '<properties><maven.test.skip>true</maven.test.skip>',
      ['<maven.test.skip>'],
    ],
    ['a property that names a test', '<properties>', '<properties><test>NoTest</test>', ['<test>']],
    [
      'a property that overlooks failures',
      '<properties>',
      '<properties><maven.test.failure.ignore>true</maven.test.failure.ignore>',
      ['<maven.test.failure.ignore>'],
    ],
    ['a property that the build reads', '>3.5.2<', '>2.0<', ['<surefire>']],
    ['a module that is gone', '<module>core</module>', '<!-- <module>core</module> -->', ['<modules>']],
    ['a section in a comment', BUILD, `<!-- ${BUILD} -->`, ['<build>']],
    ['a section in a text', BUILD, `<description><![CDATA[${BUILD}]]></description>`, ['<build>']],
    ['a section twice', '<modules>', '<build/><modules>', ['<build>']],
    [
      'a jar of the workspace in the place of a library',
      '<build>',
      '<dependencies><dependency><artifactId>junit</artifactId><scope>system</scope><systemPath>/x.jar</systemPath></dependency></dependencies><build>',
      ['<dependencies>'],
    ],
  ])('%s is the start’s, and what else was edited is not', (_, from, to, kept) => {
    const agents = START.replace(from, to).replace('<jackson>2.17', '<jackson>2.18');
    expect(agents).not.toBe(START);
    const result = merged('pom.xml', START, agents);
    expect(result.kept).toEqual(kept);
    expect(result.text).toContain('<jackson>2.18');
    // What came out holds nothing more to take back.
    expect(keptOf(result.text)).toEqual([]);
  });

  test('what cannot be taken apart is the start’s as a whole', () => {
    for (const agents of [
      '<!DOCTYPE project [<!ENTITY x "y">]><project/>',
      '<project>',
      'text',
      '<project><build></project>',
    ])
      expect(merged('pom.xml', START, agents)).toEqual({
        text: START,
        kept: ['all of it (it cannot be read)'],
      });
  });

  test('space and comments are no difference', () => {
    expect(keptOf(START.replace('<plugins>', '<!-- all -->\n\n    <plugins>'))).toEqual([]);
  });

  test('where it governs no test of the start, new sections are the agent’s', () => {
    const agents = START.replace('</project>', '<profiles/></project>');
    expect(keptOf(agents, START, false)).toEqual([]);
    expect(keptOf(agents.replace('3.5.2', '2'), START, false)).toEqual(['<surefire>']);
  });

  test('a new one is the agent’s', () => {
    expect(keptOf(START, '')).toEqual([]);
  });
});

test('scripts of composer.json and of a Pipfile are the start’s, the rest is the agent’s', () => {
  const composer = json({ require: {}, scripts: { test: 'phpunit' } });
  const edited = json({ require: { 'a/b': '1' }, scripts: { test: 'true' } });
  const php = merged('composer.json', composer, edited);
  expect(JSON.parse(php.text)).toEqual({ require: { 'a/b': '1' }, scripts: { test: 'phpunit' } });
  const pip = merged('Pipfile', '[packages]\n', '[packages]\nattrs = "*"\n\n[scripts]\npytest = "true"\n');
  expect(pip).toEqual({ text: '[packages]\nattrs = "*"\n', kept: ['[scripts]'] });
});

test('a byte order mark hides no entry of a package.json by which red tests find what they import', () => {
  const start = json({ imports: { '#help/*': './test/helpers/*' } });
  const agents = `\uFEFF${json({ imports: { '#help/*': './src/help/*' } })}`;
  const { text, kept } = keepResolution(start, agents, {
    imports: ['#help/same.mjs'],
    isHelper: false,
    isThere: (target) => target === './test/helpers/same.mjs',
  });
  expect(JSON.parse(text)).toEqual(JSON.parse(start));
  expect(kept).toHaveLength(1);
});
