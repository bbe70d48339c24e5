/** The ring as tables: all that the drawing shows, for who cannot see it, and to be sorted out. */
import { sayCount } from '../../../plan/index.ts';
import type { RingArc, RingNode } from './api-types.ts';
import { Section } from './parts.tsx';
import type { RingLook } from './ring.tsx';
import { NodeName, NoOwner, Silent } from './ring-chosen.tsx';
import { Strange } from './strange.tsx';
import { Scrolling } from './tables.tsx';

const TABLES = 4;

export function NodeTable({ look }: { readonly look: RingLook }) {
  const { nodes, is_whole: isWhole } = look.ring;
  const note = isWhole ? 'clockwise from zero' : `the first ${nodes.length} that were found`;
  return (
    <Section name="Nodes" note={note}>
      <Scrolling label="Nodes of the ring">
        <table class="rows ring-nodes">
          <caption class="unseen">Nodes of the ring, clockwise</caption>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">Address</th>
              <th scope="col">State</th>
              {['Arcs', 'Copies', 'Waiting', 'Fetched'].map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
              <th scope="col" class="number wide-only">
                Stale refused
              </th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => (
              <NodeRow key={node.id} node={node} look={look} />
            ))}
          </tbody>
        </table>
      </Scrolling>
    </Section>
  );
}

function NodeRow({ node, look }: { readonly node: RingNode; readonly look: RingLook }) {
  const { totals = {}, counts = {} } = node;
  const number = (count: number | undefined) => (count === undefined ? '–' : sayCount(count));
  return (
    <tr>
      <th scope="row">
        <NodeName place={node.place} look={look} />
      </th>
      <td class="nowrap">
        <Strange text={node.at} />
        {node.place === look.ring.me && <span class="quiet"> this one</span>}
      </td>
      <td class="nowrap">{node.is_silent ? <Silent heardAt={node.heard_at} /> : node.status}</td>
      <td class="number">{number(node.arcs_owned)}</td>
      <td class="number">{number(node.arcs_kept)}</td>
      <td class="number">{number(totals.waiting)}</td>
      <td class="number">{number(totals.fetched)}</td>
      <td class="number wide-only">{number(counts.stale_refused)}</td>
    </tr>
  );
}

export function ArcTables({ look }: { readonly look: RingLook }) {
  const { arcs } = look.ring;
  const each = arcs.length / TABLES;
  return (
    <Section name="Arcs" note="owner, epoch, and seats that have everything">
      <div class="columns arcs ring-arcs">
        {Array.from({ length: TABLES }, (_, nth) => (
          <ArcTable key={nth} arcs={arcs.slice(nth * each, (nth + 1) * each)} look={look} />
        ))}
      </div>
    </Section>
  );
}

function ArcTable({ arcs, look }: { readonly arcs: readonly RingArc[]; readonly look: RingLook }) {
  const [first, last] = [arcs[0]?.arc, arcs.at(-1)?.arc];
  return (
    <table class="rows">
      <caption class="unseen">
        Arcs {first} to {last}
      </caption>
      <thead>
        <tr>
          <th scope="col">Arc</th>
          <th scope="col">Owner</th>
          <th scope="col" class="number">
            Epoch
          </th>
          <th scope="col" class="number">
            Level
          </th>
        </tr>
      </thead>
      <tbody>
        {arcs.map((arc) => (
          <ArcRow key={arc.arc} arc={arc} look={look} />
        ))}
      </tbody>
    </table>
  );
}

function ArcRow({ arc, look }: { readonly arc: RingArc; readonly look: RingLook }) {
  const { arc: nth, owner, epoch, seats, level } = arc;
  const { chosen, choose } = look;
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="chip"
          aria-label={`Arc ${nth}`}
          aria-pressed={chosen.kind === 'arc' && chosen.arc === nth}
          onClick={() => choose({ kind: 'arc', arc: nth })}
        >
          {nth}
        </button>
      </th>
      <td class="nowrap">
        {owner === undefined ? <NoOwner /> : <NodeName place={owner} look={look} />}
        {arc.is_handing && <span class="quiet"> moving</span>}
      </td>
      <td class="number">{epoch ?? '–'}</td>
      <td class={look.behind.has(nth) ? 'number bad-text' : 'number'}>
        {level === undefined ? '–' : `${level} of ${seats.length}`}
      </td>
    </tr>
  );
}
