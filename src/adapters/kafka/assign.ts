/**
 * Which member gets which arcs: each arc goes to the member that likes it best, by a hash of
 * both, until that one has its share. So when one comes or goes, few arcs move between the others.
 */
import { createHash } from 'node:crypto';

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

function likings(member: string, arcs: number): number[] {
  return Array.from({ length: arcs }, (_, arc) => {
    return createHash('sha256').update(`${member} ${arc}`).digest().readUInt32BE(0);
  });
}
