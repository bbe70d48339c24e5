/**
 * How many bits the code of each symbol has (Huffman): symbols in the order of their use, two
 * queues that make a tree of them, and its depths, none beyond a limit.
 *
 * The tree's nodes are the used symbols, the rarest first, then their parents in the order in
 * which they are made, which is that of their weights: so no queue ever needs sorting.
 */
import { PARENTS_AT, PER_BITS_AT, SORTED_AT, WEIGHTS_AT } from './layout';

const SYMBOL_BITS: u32 = 9;
const SYMBOL_MASK: u32 = (1 << SYMBOL_BITS) - 1;

export function codeBits(countsAt: i32, symbols: i32, most: i32, bitsAt: i32): void {
  memory.fill(bitsAt, 0, symbols);
  const used = sortUsed(countsAt, symbols);
  join(used);
  countDepths(used, most);
  limit(most);
  let rarest = 0;
  for (let bits = most; bits > 0; bits--) {
    for (let left = load<i32>(PER_BITS_AT + 4 * bits); left > 0; left--, rarest++) {
      const symbol = load<u32>(SORTED_AT + 4 * rarest) & SYMBOL_MASK;
      store<u8>(bitsAt + (symbol as i32), bits as u8);
    }
  }
}

/** The rarest first; answers how many are used, two at least. Shell's way: they are never many. */
function sortUsed(countsAt: i32, symbols: i32): i32 {
  let used = 0;
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = load<u32>(countsAt + 4 * symbol);
    if (count === 0) continue;
    store<u32>(SORTED_AT + 4 * used++, (count << SYMBOL_BITS) | (symbol as u32));
  }
  for (let symbol = 0; used < 2; symbol++) {
    if (load<u32>(countsAt + 4 * symbol) === 0) store<u32>(SORTED_AT + 4 * used++, symbol as u32);
  }
  for (let gap = 40; gap > 0; gap = gap === 1 ? 0 : max(1, gap / 3)) {
    for (let i = gap; i < used; i++) {
      const value = load<u32>(SORTED_AT + 4 * i);
      let at = i;
      while (at >= gap && load<u32>(SORTED_AT + 4 * (at - gap)) > value) {
        store<u32>(SORTED_AT + 4 * at, load<u32>(SORTED_AT + 4 * (at - gap)));
        at -= gap;
      }
      store<u32>(SORTED_AT + 4 * at, value);
    }
  }
  return used;
}

let nextLeaf: i32 = 0;
let nextParent: i32 = 0;

function join(used: i32): void {
  for (let leaf = 0; leaf < used; leaf++) {
    store<u32>(WEIGHTS_AT + 4 * leaf, load<u32>(SORTED_AT + 4 * leaf) >> SYMBOL_BITS);
  }
  nextLeaf = 0;
  nextParent = used;
  for (let node = used; node < 2 * used - 1; node++) {
    const weight = takeLightest(used, node) + takeLightest(used, node);
    store<u32>(WEIGHTS_AT + 4 * node, weight);
  }
}

/** The weight of the lightest node that has no parent yet; `parent` becomes it. */
function takeLightest(used: i32, parent: i32): u32 {
  const isLeaf =
    nextLeaf < used &&
    (nextParent >= parent ||
      load<u32>(WEIGHTS_AT + 4 * nextLeaf) <= load<u32>(WEIGHTS_AT + 4 * nextParent));
  const node = isLeaf ? nextLeaf++ : nextParent++;
  store<i32>(PARENTS_AT + 4 * node, parent);
  return load<u32>(WEIGHTS_AT + 4 * node);
}

/** How many leaves are at each depth; those that are deeper than `most` are counted there. */
function countDepths(used: i32, most: i32): void {
  memory.fill(PER_BITS_AT, 0, 64);
  const root = 2 * used - 2;
  // Depths stand where weights stood: those of parents are known before those of children.
  store<i32>(WEIGHTS_AT + 4 * root, 0);
  for (let node = root - 1; node >= 0; node--) {
    const depth = load<i32>(WEIGHTS_AT + 4 * load<i32>(PARENTS_AT + 4 * node)) + 1;
    store<i32>(WEIGHTS_AT + 4 * node, depth);
    if (node >= used) continue;
    const counted = PER_BITS_AT + 4 * min(depth, most);
    store<i32>(counted, load<i32>(counted) + 1);
  }
}

/** More codes of `most` bits than there are: a shorter one is made longer, and they share it. */
function limit(most: i32): void {
  let taken: i32 = 0;
  for (let bits = 1; bits <= most; bits++) {
    taken += load<i32>(PER_BITS_AT + 4 * bits) << (most - bits);
  }
  for (; taken > 1 << most; taken--) {
    let bits = most - 1;
    while (load<i32>(PER_BITS_AT + 4 * bits) === 0) bits--;
    change(bits, -1);
    change(bits + 1, 2);
    change(most, -1);
  }
}

function change(bits: i32, by: i32): void {
  const at = PER_BITS_AT + 4 * bits;
  store<i32>(at, load<i32>(at) + by);
}
