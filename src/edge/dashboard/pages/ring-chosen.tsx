/** The chosen node in its own words, or the chosen arc with all who keep it. */
import type { ComponentChildren } from 'preact';
import { sayBytes, sayCount } from '../../../plan/index.ts';
import type { RingNode, RingNodeDetail, RingPeer } from './api-types.ts';
import type { ApiProblem } from './ask.ts';
import { Facts, Loading, Notice, When } from './parts.tsx';
import type { RingLook } from './ring.tsx';
import { Strange } from './strange.tsx';
import { sayMany, tidy } from './words.ts';

interface ChosenProps {
  readonly look: RingLook;
  readonly problem: ApiProblem | undefined;
}

export function ChosenPart({ look, problem }: ChosenProps) {
  const { chosen } = look;
  return (
    <section class="ring-chosen" aria-labelledby="chosen">
      {chosen.kind === 'arc' ? (
        <ChosenArc nth={chosen.arc} look={look} />
      ) : (
        <ChosenNode place={chosen.place} look={look} problem={problem} />
      )}
    </section>
  );
}

/** A node by its name, to be chosen; one that is only named somewhere is just told. */
export function NodeName({ place, look }: { readonly place: string; readonly look: RingLook }) {
  const { ring, chosen, nameOf, colourOf, choose } = look;
  const node = ring.nodes.find((one) => one.place === place);
  const isSilent = node?.is_silent === true;
  const tone = isSilent ? 'silent' : `tone-${colourOf(place)}`;
  const inner = (
    <>
      {node !== undefined && <i class={`swatch ${tone}`} aria-hidden="true" />}
      <code>{nameOf(place)}</code>
      {isSilent && <span class="unseen">, silent</span>}
    </>
  );
  if (node === undefined) return <span title={place}>{inner}</span>;
  const isChosen = chosen.kind === 'node' && chosen.place === place;
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={isChosen}
      title={place}
      onClick={() => choose({ kind: 'node', place })}
    >
      {inner}
    </button>
  );
}

/** A node's own names, in a row. */
function Names({ places, look }: { readonly places: readonly string[]; readonly look: RingLook }) {
  if (places.length === 0) return <span class="quiet">none</span>;
  return (
    <span class="chips">
      {places.map((place) => (
        <NodeName key={place} place={place} look={look} />
      ))}
    </span>
  );
}

const placesOf = (peers: readonly RingPeer[] | undefined) => peers?.map(({ place }) => place) ?? [];

function ChosenNode({ place, look, problem }: ChosenProps & { readonly place: string }) {
  const { ring, nameOf, colourOf, detail } = look;
  const node: RingNode | RingNodeDetail | undefined =
    detail ?? ring.nodes.find((one) => one.place === place);
  return (
    <>
      <h2 id="chosen" aria-live="polite">
        <i class={`swatch tone-${colourOf(place)}`} aria-hidden="true" />
        Node {nameOf(place)}
        {place === ring.me && <small> this one</small>}
      </h2>
      {problem !== undefined && (
        <Notice title={problem.status === 404 ? 'It is gone.' : `${problem.title}.`} isBad>
          <p>{problem.detail}</p>
        </Notice>
      )}
      {node === undefined && problem === undefined && <Loading what="what it says" />}
      {node !== undefined && <NodeFacts node={node} look={look} />}
    </>
  );
}

function NodeFacts({
  node,
  look,
}: {
  readonly node: RingNode | RingNodeDetail;
  readonly look: RingLook;
}) {
  const { place, at, is_silent: isSilent, heard_at: heardAt, status, counts = {} } = node;
  const detail = 'fingers' in node ? node : undefined;
  const facts: [string, ComponentChildren][] = [
    ['Address', <Strange text={at} />],
    ['Place', <code>{place}</code>],
    ['State', isSilent ? <Silent heardAt={heardAt} /> : (STATUS_WORDS[status ?? ''] ?? status)],
  ];
  if (!isSilent) {
    facts.push(['Arcs', `${node.arcs_owned} owned, ${node.arcs_kept} kept for others`]);
    if (detail !== undefined) {
      const { before, successors, fingers } = detail;
      facts.push(['Before it', <Names places={before ? [before.place] : []} look={look} />]);
      facts.push(['Successors', <Names places={placesOf(successors)} look={look} />]);
      facts.push(['Fingers', <Names places={placesOf(fingers)} look={look} />]);
    }
    facts.push(['Ownership', changesOf(counts)]);
    facts.push(['Stale writes', `${sayCount(counts.stale_refused ?? 0)} refused`]);
    const [lent, borrowed] = [sayCount(counts.lent ?? 0), sayCount(counts.borrowed ?? 0)];
    facts.push(['Lent', `${lent} requests to replicas, ${borrowed} borrowed`]);
    facts.push(['Traffic', trafficOf(counts)]);
  }
  return (
    <>
      <Facts rows={facts} />
      {detail !== undefined && <Lookups detail={detail} look={look} />}
    </>
  );
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  out: 'on no ring yet',
  joining: 'joining',
  member: 'member',
  leaving: 'leaving',
  gone: 'gone',
};

export function Silent({ heardAt }: { readonly heardAt: string | undefined }) {
  return (
    <span class="bad-text">
      silent
      {heardAt !== undefined && (
        <>
          , heard <When at={heardAt} />
        </>
      )}
    </span>
  );
}

type Counts = Readonly<Record<string, number>>;

function changesOf({ ownerships = 0, losses = 0, hand_overs: handed = 0 }: Counts): string {
  return `${sayCount(ownerships)} won, ${sayCount(losses)} lost, ${sayCount(handed)} handed over`;
}

function trafficOf({ bytes_in: got = 0, bytes_out: sent = 0, row_bytes_out: rows = 0 }: Counts) {
  return `${sayBytes(got)} in, ${sayBytes(sent)} out, ${sayBytes(rows)} of it rows`;
}

function Lookups({ detail, look }: { readonly detail: RingNodeDetail; readonly look: RingLook }) {
  const { lookups = [] } = detail;
  if (lookups.length === 0) return <p class="quiet">It looked nobody up of late.</p>;
  return (
    <table class="rows ring-lookups">
      <caption>Recent lookups</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Owner</th>
          <th scope="col" class="number">
            Hops
          </th>
          <th scope="col" class="number">
            Took
          </th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {lookups.slice(0, 8).map(({ key, owner, hops, ms, at }, i) => (
          <tr key={i}>
            <td>
              <code title={key}>{look.nameOf(key)}…</code>
            </td>
            <td>
              {owner === undefined ? (
                <span class="bad-text">not found</span>
              ) : (
                <NodeName place={owner} look={look} />
              )}
            </td>
            <td class="number">{hops}</td>
            <td class="number">{sayCount(tidy(ms))} ms</td>
            <td class="nowrap">
              <When at={at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ChosenArc({ nth, look }: { readonly nth: number; readonly look: RingLook }) {
  const { owner, epoch, seats = [], level, is_handing: isHanding } = look.ring.arcs[nth] ?? {};
  const others = seats.filter((place) => place !== owner);
  return (
    <>
      <h2 id="chosen" aria-live="polite">
        Arc {nth}
      </h2>
      <Facts
        rows={[
          ['Places', <code>{rangeOf(nth)}</code>],
          ['Owner', owner === undefined ? <NoOwner /> : <NodeName place={owner} look={look} />],
          ['Epoch', epoch === undefined ? 'unknown' : sayCount(epoch)],
          ['Copies at', <Names places={others} look={look} />],
          ['Level', levelOf(level, seats.length)],
          ['Moving', isHanding === true ? 'on its way to another owner' : 'no'],
        ]}
      />
    </>
  );
}

export function NoOwner() {
  return <span class="bad-text">nobody</span>;
}

function levelOf(level: number | undefined, seats: number): string {
  if (level === undefined) return 'its owner does not say';
  return `${level} of ${sayMany(seats, 'seat')} have everything`;
}

/** First and last place, shortened: an arc is four first bytes. */
function rangeOf(arc: number): string {
  const hex = (byte: number) => byte.toString(16).padStart(2, '0');
  return `${hex(4 * arc)}00… to ${hex(4 * arc + 3)}ff…`;
}
