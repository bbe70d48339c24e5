/** A ring as `orb ring status` shows it: the node that was asked, then all that it can find. */
import type { RingSurvey } from '../../crawl/ring-survey.ts';
import type { SeenNode } from '../../crawl/ring-walk.ts';
import type { RingArc, RingReport } from '../../ports/ring-report.ts';
import { formatBytes, formatNumber, many, safeText } from './format.ts';

const PLACE_SHOWN = 8;

/** A node's part of what is counted by arc may be less than nothing: only the ring's sum is exact. */
const n = (count: number) => formatNumber(Math.max(0, count));

export function ringText(report: RingReport, survey: RingSurvey): string {
  const { me, status, totals, counts } = report;
  const own = report.arcs.filter(({ role }) => role === 'owner');
  const kept = report.arcs.length - own.length;
  const rows: (readonly [string, string])[] = [
    ['owns', `${own.length} of 64 arcs; keeps copies of ${kept} more`],
    ['copies', levelText(own, survey)],
    [
      'pages',
      `${n(totals.known)} known, ${n(totals.waiting)} waiting, ${n(totals.fetched)} fetched`,
    ],
    ['moved', `${many(counts.ownerships, 'arc')} came, ${n(counts.handOvers)} were handed over`],
    [
      'refused',
      `${n(counts.staleRefused)} late writes of others, ${n(counts.staleTold)} of its own`,
    ],
    [
      'lent',
      `${n(counts.lent)} requests to replicas, ${n(counts.lentLost)} came back; ` +
        `${n(counts.borrowed)} borrowed of other owners`,
    ],
    ['traffic', `${formatBytes(counts.bytesIn)} in, ${formatBytes(counts.bytesOut)} out`],
    ['turned away', `${n(counts.strangers)} strangers, ${n(counts.nonsense)} with nonsense`],
  ];
  const lost = survey.arcs.filter(({ owner }) => owner === undefined).map(({ arc }) => arc);
  const lines = [
    `node ${me.place.slice(0, PLACE_SHOWN)} at ${safeText(me.at, 100)} (${status})`,
    ...rows.map(([name, text]) => `  ${name.padEnd(12)}${text}`),
    `nodes (${survey.nodes.length}${survey.isWhole ? '' : ' and more'})`,
    ...survey.nodes.map((node) => nodeLine(node, node.peer.id === me.id)),
    ...(lost.length > 0 ? [`no owner just now: arc ${lost.join(', ')}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** A copy on a node that is silent is not on its way: it comes when that node does, or another. */
function levelText(own: readonly RingArc[], { nodes }: RingSurvey): string {
  const heard = new Set(nodes.flatMap(({ peer, report }) => (report ? [peer.place] : [])));
  const behind = own.filter(({ level, seats }) => level !== undefined && level < seats.length);
  const isLost = ({ level = 0, seats }: RingArc) =>
    seats.filter((seat) => heard.has(seat)).length <= level;
  const lost = behind.filter(isLost).length;
  const handing = own.filter(({ isHanding }) => isHanding === true).length;
  const parts = [
    ...(behind.length > lost ? [`${many(behind.length - lost, 'arc')} catching up`] : []),
    ...(lost > 0 ? [`${many(lost, 'arc')} with one on a silent node`] : []),
    ...(handing > 0 ? [`${many(handing, 'arc')} on the way to another node`] : []),
  ];
  return parts.length === 0 ? 'all level' : parts.join(', ');
}

function nodeLine({ peer, report }: SeenNode, isMe: boolean): string {
  const owned = report?.arcs.filter(({ role }) => role === 'owner').length ?? 0;
  const facts =
    report === undefined
      ? 'silent'
      : `${report.status.padEnd(8)}${many(owned, 'arc').padEnd(9)}` +
        `${n(report.totals.waiting)} waiting, ${n(report.totals.fetched)} fetched`;
  const place = safeText(peer.place, 16).slice(0, PLACE_SHOWN);
  return `  ${place}  ${safeText(peer.at, 100).padEnd(22)} ${facts}${isMe ? '  (this one)' : ''}`;
}
