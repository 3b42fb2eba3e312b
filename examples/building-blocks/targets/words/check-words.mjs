import { readFileSync } from 'node:fs';

const words = readFileSync('words.txt', 'utf8').split('\n');
const missing = ['alpha', 'beta', 'gamma'].find((word) => !words.includes(word));
if (missing) {
  console.error(`words.txt lacks "${missing}"`);
  process.exit(1);
}
