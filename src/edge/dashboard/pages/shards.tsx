/** The arcs of the circle side by side: whether work and hosts are spread evenly. */
import { useEffect, useRef } from 'preact/hooks';
import { sayCount } from '../../../plan/index.ts';
import type { Shard } from './api-types.ts';
import { now } from './browser.ts';
import { Loading, Title, Trouble } from './parts.tsx';
import { Numbers } from './tables.tsx';
import { useAsked } from './use.ts';
import { sayMany, tidy } from './words.ts';

const POLL_MS = 2_000;
const LEAD = 'A host belongs to one of 64 arcs by its name; an arc is what one owner holds.';
const TABLES = 4;

interface Row extends Shard {
  /** Visits a second since the last look; undefined at the first. */
  readonly rate: number | undefined;
}

export function Shards() {
  const { value, problem, again } = useAsked<{ readonly shards: readonly Shard[] }>(
    '/shards',
    POLL_MS,
  );
  const rows = useRates(value?.shards);
  return (
    <>
      <Title name="Shards" lead={LEAD} />
      {problem !== undefined && <Trouble problem={problem} again={again} />}
      {rows === undefined && problem === undefined && <Loading what="the arcs" />}
      {rows !== undefined && <Arcs rows={rows} />}
    </>
  );
}

interface Look {
  readonly at: number;
  readonly shards: readonly Shard[];
  readonly rows: readonly Row[];
}

/** Between two looks; with the first look, nothing is said of them. */
function useRates(shards: readonly Shard[] | undefined): readonly Row[] | undefined {
  const last = useRef<Look>(undefined);
  useEffect(() => {
    last.current = undefined;
  }, []);
  if (shards === undefined) return last.current?.rows;
  if (last.current?.shards === shards) return last.current.rows;
  const before = last.current;
  const at = now();
  const seconds = before === undefined ? 0 : (at - before.at) / 1_000;
  const rows = shards.map((shard, i) => {
    const visits = before?.shards[i]?.visits ?? shard.visits;
    const rate = seconds > 0 ? Math.max(0, shard.visits - visits) / seconds : undefined;
    return { ...shard, rate };
  });
  last.current = { at, shards, rows };
  return rows;
}

function sumOf(rows: readonly Row[], of: (row: Row) => number | undefined): number {
  return rows.reduce((sum, row) => sum + (of(row) ?? 0), 0);
}

function Arcs({ rows }: { readonly rows: readonly Row[] }) {
  const hosts = sumOf(rows, (row) => row.hosts);
  const waiting = sumOf(rows, (row) => row.waiting);
  const rate = sumOf(rows, (row) => row.rate);
  const isCounted = rows.every((row) => row.waiting !== undefined);
  const most = Math.max(1, ...rows.map((row) => row.waiting ?? 0));
  const each = rows.length / TABLES;
  const inUse = rows.filter((row) => row.hosts > 0).length;
  return (
    <>
      <Numbers
        rows={[
          ['Hosts', sayCount(hosts), `in ${sayMany(inUse, 'arc')} of ${rows.length}`],
          ['Waiting', isCounted ? sayCount(waiting) : '…', isCounted ? 'URLs' : 'being counted'],
          ['Visits a second', sayCount(tidy(rate)), 'over the last seconds'],
          ['Fullest arc', evenness(most * inUse, waiting), 'times the mean of those in use'],
        ]}
      />
      <div class="columns arcs">
        {Array.from({ length: TABLES }, (_, nth) => (
          <ArcTable key={nth} rows={rows.slice(nth * each, (nth + 1) * each)} most={most} />
        ))}
      </div>
    </>
  );
}

function evenness(most: number, sum: number): string {
  return sum === 0 ? '–' : `× ${tidy(most / sum)}`;
}

function ArcTable({ rows, most }: { readonly rows: readonly Row[]; readonly most: number }) {
  const [first, last] = [rows[0]?.shard, rows.at(-1)?.shard];
  return (
    <table class="bars">
      <caption class="unseen">
        Arcs {first} to {last}
      </caption>
      <thead>
        <tr>
          <th scope="col">Arc</th>
          <td aria-hidden="true" />
          <th scope="col" class="number">
            Waiting
          </th>
          <th scope="col" class="number">
            Hosts
          </th>
          <th scope="col" class="number">
            Per s
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ shard, waiting, hosts, rate }) => (
          <tr key={shard} class={hosts === 0 ? 'quiet' : ''}>
            <th scope="row">{shard}</th>
            <td class="bar-cell" aria-hidden="true">
              {(waiting ?? 0) > 0 && (
                <span class="bar good" style={{ width: `${(100 * (waiting ?? 0)) / most}%` }} />
              )}
            </td>
            <td class="number">{waiting === undefined ? '…' : sayCount(waiting)}</td>
            <td class="number">{sayCount(hosts)}</td>
            <td class="number">{rate === undefined ? '…' : sayCount(tidy(rate))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
