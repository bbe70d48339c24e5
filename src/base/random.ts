/**
 * Randomness that can be had again: the same seed gives the same numbers, on every machine.
 *
 * sfc32 (small fast counter, by Chris Doty-Humphrey): 128 bits of state, passes the usual
 * test batteries, a few additions and shifts a number. Not for secrets.
 */
export interface SeededRandom {
  /** The next number in [0, 1). */
  next(): number;
}

export function seededRandom(seed: number | string): SeededRandom {
  let [a, b, c] = seedWords(String(seed));
  let counter = 1;
  const step = () => {
    const out = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + out) | 0;
    return out >>> 0;
  };
  for (let i = 0; i < 15; i++) step();
  return { next: () => step() / 4_294_967_296 };
}

/** Spreads the seed's characters over three words, each with its own FNV-1a start. */
function seedWords(seed: string): [number, number, number] {
  const words: [number, number, number] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b];
  for (let i = 0; i < seed.length; i++) {
    const code = seed.charCodeAt(i);
    for (let w = 0; w < 3; w++) {
      words[w] = Math.imul((words[w] as number) ^ (code + w), 0x01000193);
    }
  }
  return words;
}
