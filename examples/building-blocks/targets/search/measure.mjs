import { find } from './search.mjs';

const list = Array.from({ length: 1000 }, (_, i) => i * 3);
let calls = 0;
let most = 0;
const compare = (a, b) => {
  calls++;
  return a - b;
};
for (let wanted = -1; wanted <= 3000; wanted++) {
  calls = 0;
  find(list, wanted, compare);
  most = Math.max(most, calls);
}
console.log(JSON.stringify({ comparisons: { most } }));
