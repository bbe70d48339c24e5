/** Who owns a host: asked of the ring itself, and its arc is chosen. */
import { useState } from 'preact/hooks';
import type { RingArc, RingPeer } from './api-types.ts';
import { ask } from './ask.ts';
import { Trouble } from './parts.tsx';
import type { RingLook } from './ring.tsx';
import { NodeName, NoOwner } from './ring-chosen.tsx';
import { Strange } from './strange.tsx';
import { useDoing } from './use.ts';
import { sayMany, tidy } from './words.ts';

interface Found {
  readonly host: string;
  readonly place: string;
  readonly arc: RingArc;
  readonly owner: RingPeer;
  readonly hops: number;
  readonly ms: number;
}

export function FindOwner({ look }: { readonly look: RingLook }) {
  const [host, setHost] = useState('');
  const doing = useDoing<Found>(({ arc }) => look.choose({ kind: 'arc', arc: arc.arc }));
  const submit = (event: Event) => {
    event.preventDefault();
    const path = `/ring/lookup?host=${encodeURIComponent(host.trim())}`;
    if (host.trim() !== '') void doing.act(() => ask<Found>(path));
  };
  return (
    <section class="ring-find" aria-labelledby="find-owner">
      <h2 id="find-owner">Who owns a host?</h2>
      <form class="inline" onSubmit={submit}>
        <label class="unseen" for="ring-host">
          Host
        </label>
        <input
          id="ring-host"
          value={host}
          placeholder="example.com"
          spellcheck={false}
          autocapitalize="none"
          onInput={(event) => setHost(event.currentTarget.value)}
        />
        <button type="submit" disabled={doing.isBusy}>
          Look it up
        </button>
      </form>
      <div role="status">{doing.done !== undefined && <Told found={doing.done} look={look} />}</div>
      {doing.problem !== undefined && <Trouble problem={doing.problem} />}
    </section>
  );
}

function Told({ found, look }: { readonly found: Found; readonly look: RingLook }) {
  const { host, place, arc, owner, hops, ms } = found;
  return (
    <p>
      <Strange text={host} /> is at <code>{place.slice(0, 8)}…</code> in arc {arc.arc}, owned by{' '}
      {arc.owner === undefined ? <NoOwner /> : <NodeName place={arc.owner} look={look} />}.{' '}
      {arc.owner !== owner.place && (
        <>
          It should go to <NodeName place={owner.place} look={look} />.{' '}
        </>
      )}
      <span class="quiet">
        {hops === 0 ? 'Known here' : sayMany(hops, 'hop')}, {tidy(ms)} ms.
      </span>
    </p>
  );
}
