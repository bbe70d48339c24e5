/**
 * The circle. For eyes and a mouse: all that it shows and all that can be chosen in it is in the
 * tables below as well, so for everybody else it is one picture with a sentence.
 *
 *   labels  nodes │ band of 64 arcs │ epochs │ inside: lines of what is chosen (ring-inside.tsx)
 */
import type { RingArc, RingNode } from './api-types.ts';
import type { RingLook } from './ring.tsx';
import { INSIDE, Inside } from './ring-inside.tsx';
import { angleOf, arcAngle, type Point, pointAt, sectorPath, spreadAngles } from './ring-places.ts';
import { visible } from './strange.tsx';
import { sayMany } from './words.ts';

const R = { epoch: 156, seat: 165, inner: 169, outer: 193, node: 206, label: 221 };
const SIZE = 254;
/** More labels than that would cover each other, and the drawing. */
const LABELS_MAX = 32;

export function Drawing({ look }: { readonly look: RingLook }) {
  const { ring } = look;
  const silent = ring.nodes.filter((node) => node.is_silent).length;
  const said = `${sayMany(ring.nodes.length, 'node')} on the circle, ${silent} silent; the tables tell all of it.`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tables have buttons for the same.
    <svg
      class="ring-drawing"
      viewBox={`${-SIZE} ${-SIZE} ${2 * SIZE} ${2 * SIZE}`}
      role="img"
      aria-label={said}
      onClick={(event) => chooseAt(event.target as Element, look)}
    >
      <Hatching />
      <Marks />
      <Inside look={look} />
      {ring.arcs.map((arc) => (
        <ArcPiece key={arc.arc} arc={arc} look={look} />
      ))}
      <Nodes look={look} />
    </svg>
  );
}

function chooseAt(target: Element, { choose }: RingLook): void {
  const { place, arc } =
    (target.closest('[data-place],[data-arc]') as SVGElement | null)?.dataset ?? {};
  if (place !== undefined) choose({ kind: 'node', place });
  else if (arc !== undefined) choose({ kind: 'arc', arc: Number(arc) });
}

/** Over arcs on their way to another owner. */
function Hatching() {
  return (
    <defs>
      <pattern
        id="handing"
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="3" height="6" class="hatch" />
      </pattern>
    </defs>
  );
}

/** The first digit of places, where a quarter begins. */
function Marks() {
  return (
    <g class="ring-marks">
      {['0', '4', '8', 'c'].map((digit, i) => {
        const { x, y } = pointAt((i * Math.PI) / 2, INSIDE - 14);
        return (
          <text key={digit} x={x} y={y}>
            {digit}…
          </text>
        );
      })}
    </g>
  );
}

function ArcPiece({ arc, look }: { readonly arc: RingArc; readonly look: RingLook }) {
  const { chosen, ring, nameOf, colourOf } = look;
  const { arc: nth, owner, epoch, seats } = arc;
  const node = ring.nodes.find(({ place }) => place === owner);
  const isChosen = chosen.kind === 'arc' && chosen.arc === nth;
  const isOut = isChosen || (chosen.kind === 'node' && chosen.place === owner);
  const isKept = chosen.kind === 'node' && chosen.place !== owner && seats.includes(chosen.place);
  const shape = sectorPath(nth, R.inner, R.outer + (isOut ? 5 : 0));
  const at = pointAt(arcAngle(nth), R.epoch);
  const names = ['piece', owner === undefined ? 'nobody' : `tone-${colourOf(owner)}`];
  if (node === undefined || node.is_silent) names.push('orphan');
  if (isChosen) names.push('chosen');
  return (
    <g data-arc={nth} class={names.join(' ')}>
      <title>{`Arc ${nth}, epoch ${epoch ?? 'unknown'}, ${owner === undefined ? 'no owner' : `owned by ${nameOf(owner)}`}`}</title>
      <path d={shape} class="band" />
      {arc.is_handing && <path d={shape} fill="url(#handing)" />}
      {look.behind.has(nth) && <path d={sectorPath(nth, R.inner, R.inner + 4)} class="behind" />}
      {isKept && (
        <path
          d={sectorPath(nth, R.seat, R.seat + 2.5)}
          class={`kept tone-${colourOf((chosen as { place: string }).place)}`}
        />
      )}
      {epoch !== undefined && (
        <text class="epoch" {...at}>
          {epoch}
        </text>
      )}
    </g>
  );
}

function Nodes({ look }: { readonly look: RingLook }) {
  const { nodes } = look.ring;
  const places = nodes.map(({ place }) => angleOf(place));
  const angles = nodes.length > LABELS_MAX ? places : spreadAngles(places);
  return (
    <g>
      {nodes.map((node, i) => (
        <NodeDot key={node.id} node={node} label={angles[i] as number} look={look} />
      ))}
    </g>
  );
}

interface DotProps {
  readonly node: RingNode;
  readonly label: number;
  readonly look: RingLook;
}

function NodeDot({ node, label, look }: DotProps) {
  const { ring, chosen, nameOf, colourOf } = look;
  const { place, is_silent: isSilent } = node;
  const angle = angleOf(place);
  const isChosen = chosen.kind === 'node' && chosen.place === place;
  const isCrowded = ring.nodes.length > LABELS_MAX;
  const isNamed = !isCrowded || isChosen || isSilent || place === ring.me;
  const [rim, dot, text] = [
    pointAt(angle, R.outer),
    pointAt(angle, R.node),
    pointAt(label, R.label),
  ];
  const bend = pointAt(label, R.label - 5);
  const names = [
    'node',
    `tone-${colourOf(place)}`,
    isSilent ? 'silent' : '',
    isChosen ? 'chosen' : '',
  ];
  return (
    <g data-place={place} class={names.join(' ')}>
      <title>{`${nameOf(place)} at ${visible(node.at)}${isSilent ? ', silent' : ''}`}</title>
      <path class="stalk" d={`M${rim.x} ${rim.y}L${dot.x} ${dot.y}`} />
      {isNamed && <path class="lead-line" d={`M${dot.x} ${dot.y}L${bend.x} ${bend.y}`} />}
      {isChosen && <circle class="halo" cx={dot.x} cy={dot.y} r="10" />}
      <circle class="dot-shape" cx={dot.x} cy={dot.y} r={isCrowded ? 3.5 : 6} />
      {place === ring.me && <circle class="me-shape" cx={dot.x} cy={dot.y} r="2.2" />}
      {isNamed && (
        <text {...anchored(text, label)}>
          {nameOf(place)}
          {isSilent && (
            <tspan class="silent-word" x={text.x} dy="1.1em">
              silent
            </tspan>
          )}
        </text>
      )}
    </g>
  );
}

/** Text stands away from the circle. */
function anchored({ x, y }: Point, angle: number) {
  const side = Math.sin(angle);
  const anchor = side > 0.25 ? 'start' : side < -0.25 ? 'end' : 'middle';
  return { x, y, 'text-anchor': anchor } as const;
}
