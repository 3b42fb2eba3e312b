import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { which } from '../../src/system/which.ts';

/** `node_modules` with the runners that only tests need: `npm ci --prefix test/tools`. */
export const TOOLS = join(import.meta.dirname, '../tools/node_modules');

/** Whether a program of `TOOLS`, else of the machine, is there. */
export function hasTool(name: string): boolean {
  return (
    existsSync(join(TOOLS, '.bin', name)) || which(name, { PATH: process.env['PATH'] ?? '' }) !== undefined
  );
}

/** The project file whose plug-ins `.ci/run` fetches beforehand, so that tests need no network. */
export const MAVEN_PROJECT = readFileSync(join(import.meta.dirname, '../tools/maven/pom.xml'), 'utf8');

/** Whether Maven can run that project offline. */
export function hasMaven(): boolean {
  const surefire = /surefire-plugin<\/artifactId>\s*<version>([^<]+)/.exec(MAVEN_PROJECT)?.[1] ?? '';
  const provider = join(homedir(), '.m2/repository/org/apache/maven/surefire/surefire-junit4', surefire);
  return hasTool('mvn') && existsSync(provider);
}
