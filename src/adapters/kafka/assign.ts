/**
 * Which member gets which arcs: each arc goes to the member that likes it best, by a hash of
 * both, until that one has its share. So when one comes or goes, few arcs move between the others.
 * Parts, that are there when an arc is split (F8), are assigned beforehand: the first half stays
 * with its whole, the second goes to whoever of the others likes it best.
 */
import { createHash } from 'node:crypto';
import { halvesOf } from '../../url/index.ts';

export function assignArcs(members: readonly string[], arcs: number): Map<string, number[]> {
  const shares = new Map(members.map((member) => [member, [] as number[]]));
  if (members.length === 0) return shares;
  const most = Math.ceil(arcs / members.length);
  const wishes = members
    .flatMap((member) => likings(member, arcs).map((liking, arc) => ({ member, arc, liking })))
    .sort((a, b) => b.liking - a.liking || (a.member < b.member ? -1 : 1));
  const given = new Set<number>();
  for (const { member, arc } of wishes) {
    const share = shares.get(member) ?? [];
    if (given.has(arc) || share.length >= most) continue;
    given.add(arc);
    share.push(arc);
  }
  for (const share of shares.values()) share.sort((a, b) => a - b);
  return shares;
}

/** The same shares, with all parts that their arcs may be split into. */
export function withParts(shares: ReadonlyMap<string, readonly number[]>): Map<string, number[]> {
  const all = new Map([...shares].map(([member, arcs]) => [member, [...arcs]]));
  const give = (arc: number, member: string): void => {
    const [first, second] = halvesOf(arc);
    if (first === undefined || second === undefined) return;
    const other = fondest([...shares.keys()], member, second);
    all.get(member)?.push(first);
    all.get(other)?.push(second);
    give(first, member);
    give(second, other);
  };
  for (const [member, arcs] of shares) for (const arc of arcs) give(arc, member);
  return all;
}

/** Of all but one, as long as there are others. */
function fondest(members: readonly string[], but: string, arc: number): string {
  const wishes = members
    .filter((member) => member !== but)
    .map((member) => ({ member, liking: likingOf(member, arc) }))
    .sort((a, b) => b.liking - a.liking || (a.member < b.member ? -1 : 1));
  return wishes[0]?.member ?? but;
}

function likings(member: string, arcs: number): number[] {
  return Array.from({ length: arcs }, (_, arc) => likingOf(member, arc));
}

function likingOf(member: string, arc: number): number {
  return createHash('sha256').update(`${member} ${arc}`).digest().readUInt32BE(0);
}
