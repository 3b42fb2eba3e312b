import assert from 'node:assert/strict';
import { find } from './search.mjs';

const compare = (a, b) => a - b;
const list = [2, 3, 5, 7, 11, 13];
for (const [index, prime] of list.entries()) assert.equal(find(list, prime, compare), index);
for (const missing of [1, 4, 12, 14]) assert.equal(find(list, missing, compare), -1);
assert.equal(find([], 1, compare), -1);
