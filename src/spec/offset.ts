import { type Document, isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import type { Path } from './issue.ts';

/**
 * Where in its text the value at a path begins, or its key. Where the path leads
 * to nothing, the nearest thing above it. Aliases and merged keys are followed.
 */
export function offsetOf(yaml: Document, path: Path, part: 'key' | 'value'): number {
  let node: unknown = yaml.contents;
  let keyOffset = startOf(node) ?? 0;
  for (const step of path) {
    const found = childOf(yaml, node, step);
    if (!found) return keyOffset;
    node = found.value;
    keyOffset = found.keyOffset ?? keyOffset;
  }
  return part === 'key' ? keyOffset : (startOf(node) ?? keyOffset);
}

/** Undefined for an empty value: then its key is the place. */
function startOf(node: unknown): number | undefined {
  const range = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range : undefined;
  return range && range[1] > range[0] ? range[0] : undefined;
}

interface Child {
  readonly value: unknown;
  readonly keyOffset: number | undefined;
}

function childOf(yaml: Document, parent: unknown, step: string | number): Child | undefined {
  const node = isAlias(parent) ? parent.resolve(yaml) : parent;
  if (isSeq(node) && typeof step === 'number') {
    const item: unknown = node.items[step];
    return item === undefined ? undefined : { value: item, keyOffset: startOf(item) };
  }
  return isMap(node) ? entryOf(yaml, node, String(step)) : undefined;
}

function entryOf(yaml: Document, map: YAMLMap, key: string): Child | undefined {
  const own = map.items.find((pair) => keyOf(pair.key) === key);
  if (own) return { value: own.value, keyOffset: startOf(own.key) };
  for (const pair of map.items.filter((item) => keyOf(item.key) === '<<')) {
    const merged = isAlias(pair.value) ? pair.value.resolve(yaml) : pair.value;
    for (const source of isSeq(merged) ? merged.items : [merged]) {
      const found = childOf(yaml, source, key);
      if (found) return found;
    }
  }
  return undefined;
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? (key.source ?? key.value) : key);
}
