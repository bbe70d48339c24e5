/**
 * The circle as a drawing: zero is at the top, and places go clockwise, so that the first digit of
 * a place says where it is (0 top, 4 right, 8 bottom, c left).
 *
 *   names    the first digits of a place, as many as tell nodes apart
 *   labels   beside their nodes, pushed apart where nodes stand close
 *   colours  a node keeps its colour while the page is open, whoever comes and goes
 */
export const ARCS = 64;
export const COLOURS = 12;
const NAME_DIGITS = 4;
const PLACE_DIGITS = 16;
const TURN = 2 * Math.PI;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** From the top, clockwise, in radians; 13 digits are as many as a number holds. */
export function angleOf(place: string): number {
  return (Number.parseInt(place.slice(0, 13), 16) / 16 ** 13) * TURN;
}

export function arcAngle(arc: number): number {
  return ((arc + 0.5) / ARCS) * TURN;
}

export function pointAt(angle: number, radius: number): Point {
  return { x: rounded(radius * Math.sin(angle)), y: rounded(-radius * Math.cos(angle)) };
}

/** A piece of the band, with a hair of paper on either side. */
export function sectorPath(arc: number, inner: number, outer: number): string {
  const gap = 0.7 / outer;
  const [from, to] = [(arc / ARCS) * TURN + gap, ((arc + 1) / ARCS) * TURN - gap];
  const [a, b] = [pointAt(from, outer), pointAt(to, outer)];
  const [c, d] = [pointAt(to, inner), pointAt(from, inner)];
  const edge = (radius: number, sweep: 0 | 1, { x, y }: Point) =>
    `A${radius} ${radius} 0 0 ${sweep} ${x} ${y}`;
  return `M${a.x} ${a.y}${edge(outer, 1, b)}L${c.x} ${c.y}${edge(inner, 0, d)}Z`;
}

/** A line through the inside, bent towards the middle: near ones stay near the band. */
export function chordPath(from: number, to: number, radius: number): string {
  const [a, b] = [pointAt(from, radius), pointAt(to, radius)];
  const apart = Math.abs(from - to) % TURN;
  const bend = 0.5 * Math.max(0.4, 0.9 - 0.45 * Math.min(apart, TURN - apart));
  const [x, y] = [rounded(bend * (a.x + b.x)), rounded(bend * (a.y + b.y))];
  return `M${a.x} ${a.y}Q${x} ${y} ${b.x} ${b.y}`;
}

export type Names = (place: string) => string;

/** Four digits, or as many more as tell these places apart. */
export function namesOf(places: readonly string[]): Names {
  let digits = NAME_DIGITS;
  const all = new Set(places);
  const tells = (many: number) => new Set([...all].map((one) => one.slice(0, many))).size;
  while (digits < PLACE_DIGITS && tells(digits) < all.size) digits++;
  return (place) => place.slice(0, digits);
}

/** Angles for labels of nodes at these angles (rising), none nearer than its width needs. */
export function spreadAngles(angles: readonly number[]): number[] {
  const spread = [...angles];
  const many = spread.length;
  if (many < 2) return spread;
  for (let round = 0; round < 60; round++) {
    let moved = 0;
    for (let i = 0; i < many; i++) {
      const j = (i + 1) % many;
      const [here, next] = [spread[i] as number, (spread[j] as number) + (j === 0 ? TURN : 0)];
      const lack = roomAt((here + next) / 2) - (next - here);
      if (lack <= 0.001) continue;
      spread[i] = here - lack / 2;
      spread[j] = (spread[j] as number) + lack / 2;
      moved += lack;
    }
    if (moved < 0.01) break;
  }
  return spread;
}

/** Text is wider than high: above and below it needs more of the circle than at the sides. */
function roomAt(angle: number): number {
  return 0.062 + 0.09 * Math.abs(Math.cos(angle));
}

/** Remembers who has which colour; of the free ones, whoever comes gets the least used. */
export class Colours {
  readonly #of = new Map<string, number>();

  of(place: string): number {
    const known = this.#of.get(place);
    if (known !== undefined) return known;
    const used = new Array<number>(COLOURS).fill(0);
    for (const colour of this.#of.values()) used[colour] = (used[colour] as number) + 1;
    const colour = used.indexOf(Math.min(...used));
    this.#of.set(place, colour);
    return colour;
  }

  /** Whoever is not there any more gives its colour back. */
  keep(places: ReadonlySet<string>): void {
    for (const place of this.#of.keys()) if (!places.has(place)) this.#of.delete(place);
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
