export function find(list, wanted, compare) {
  for (let i = 0; i < list.length; i++) {
    if (compare(list[i], wanted) === 0) return i;
  }
  return -1;
}
