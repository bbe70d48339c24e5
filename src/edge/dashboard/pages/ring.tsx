/**
 * The ring, live: nodes at their places, arcs by owner, and what is chosen of them in full.
 *
 *   ring-drawing.tsx   the circle, for eyes and mouse        ring-places.ts   where things stand
 *   ring-tables.tsx    the same as tables, for everybody     ring-chosen.tsx  one node, or one arc
 *   ring-find.tsx      who owns a host                       ring-legend.tsx  what marks mean
 *
 * Whatever other nodes say about themselves is text of strangers.
 */
import { useMemo, useRef, useState } from 'preact/hooks';
import { sayBytes, sayCount } from '../../../plan/index.ts';
import type { Ring, RingArc, RingNodeDetail } from './api-types.ts';
import { Loading, Notice, Title, Trouble } from './parts.tsx';
import { ChosenPart } from './ring-chosen.tsx';
import { Drawing } from './ring-drawing.tsx';
import { FindOwner } from './ring-find.tsx';
import { Legend } from './ring-legend.tsx';
import { Colours, namesOf } from './ring-places.ts';
import { ArcTables, NodeTable } from './ring-tables.tsx';
import { Numbers } from './tables.tsx';
import { useAsked } from './use.ts';
import { sayMany, tidy } from './words.ts';

const POLL_MS = 2_000;
const LEAD = 'Nodes without a centre: each owns arcs of the circle, and keeps copies of others.';

export type Chosen =
  | { readonly kind: 'node'; readonly place: string }
  | { readonly kind: 'arc'; readonly arc: number };

/** What every part of the page needs to show the same ring the same way. */
export interface RingLook {
  readonly ring: Ring;
  readonly chosen: Chosen;
  /** Of the chosen node, once it has answered. */
  readonly detail: RingNodeDetail | undefined;
  readonly nameOf: (place: string) => string;
  readonly colourOf: (place: string) => number;
  /** Arcs of which a copy lacked something at this look and at the one before. */
  readonly behind: ReadonlySet<number>;
  readonly choose: (chosen: Chosen) => void;
}

export function RingPage() {
  const { value, problem, again } = useAsked<Ring>('/ring', POLL_MS);
  return (
    <>
      <Title name="Ring" lead={LEAD} />
      {problem?.status === 404 && <NoRing />}
      {problem !== undefined && problem.status !== 404 && (
        <Trouble problem={problem} again={again} />
      )}
      {value === undefined && problem === undefined && <Loading what="the ring" />}
      {value !== undefined && <Shown ring={value} />}
    </>
  );
}

function NoRing() {
  return (
    <Notice title="This node is on no ring.">
      <p>
        <code>orb ring start</code> begins one, <code>orb ring join HOST:PORT</code> joins one.
      </p>
    </Notice>
  );
}

function Shown({ ring }: { readonly ring: Ring }) {
  const [chosen, choose] = useState<Chosen>({ kind: 'node', place: ring.me });
  const path = chosen.kind === 'node' ? `/ring/nodes/${chosen.place}` : '';
  const { value: detail, problem } = useAsked<RingNodeDetail>(path, POLL_MS);
  const behind = useBehind(ring);
  const look: RingLook = { ring, chosen, detail, choose, behind, ...useNames(ring) };
  return (
    <>
      <Figures ring={ring} behind={behind.size} />
      <div class="ring">
        <figure class="ring-figure">
          <Drawing look={look} />
          <Legend look={look} />
        </figure>
        <div class="ring-side">
          <FindOwner look={look} />
          <ChosenPart look={look} problem={problem} />
        </div>
      </div>
      <NodeTable look={look} />
      <ArcTables look={look} />
    </>
  );
}

/** A write on its way makes any copy lack something for a moment: that is no news. */
function useBehind(ring: Ring): ReadonlySet<number> {
  const last = useRef<ReadonlySet<number>>(new Set());
  return useMemo(() => {
    const isNow = ({ level, seats }: RingArc) => level !== undefined && level < seats.length;
    const now = new Set(ring.arcs.filter(isNow).map(({ arc }) => arc));
    const before = last.current;
    last.current = now;
    return new Set([...now].filter((arc) => before.has(arc)));
  }, [ring]);
}

function useNames(ring: Ring): Pick<RingLook, 'nameOf' | 'colourOf'> {
  const colours = useRef<Colours>(undefined);
  colours.current ??= new Colours();
  const held = colours.current;
  return useMemo(() => {
    const owners = ring.arcs.flatMap(({ owner }) => (owner === undefined ? [] : [owner]));
    const places = new Set([...ring.nodes.map(({ place }) => place), ...owners]);
    held.keep(places);
    for (const place of places) held.of(place);
    return { nameOf: namesOf([...places]), colourOf: (place) => held.of(place) };
  }, [ring, held]);
}

function Figures({ ring, behind }: { readonly ring: Ring; readonly behind: number }) {
  const { nodes, arcs, is_whole: isWhole } = ring;
  const silent = nodes.filter((node) => node.is_silent).length;
  const answering = new Set(nodes.flatMap((node) => (node.is_silent ? [] : [node.place])));
  const owned = arcs.filter(({ owner }) => owner !== undefined && answering.has(owner)).length;
  const moving = arcs.filter((arc) => arc.is_handing).length;
  const sum = (name: string) => nodes.reduce((all, node) => all + (node.counts?.[name] ?? 0), 0);
  const [lookups, hops] = [sum('lookups'), sum('lookup_hops')];
  const how = isWhole ? (silent === 0 ? 'all answer' : `${silent} silent`) : 'and more than these';
  return (
    <Numbers
      rows={[
        ['Nodes', sayCount(nodes.length), how],
        [
          'Arcs owned',
          sayCount(owned),
          `of ${arcs.length}${moving > 0 ? `, ${moving} moving` : ''}`,
        ],
        ['Copies behind', sayCount(behind), `of ${arcs.length} arcs`],
        ['Stale writes', sayCount(sum('stale_refused')), 'refused'],
        [
          'Hops',
          lookups === 0 ? '–' : String(tidy(hops / lookups)),
          `in ${sayMany(lookups, 'lookup')}`,
        ],
        ['Sent', sayBytes(sum('bytes_out')), 'between nodes'],
      ]}
    />
  );
}
