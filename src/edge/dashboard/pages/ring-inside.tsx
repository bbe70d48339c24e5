/** Inside of the circle: fingers and lookups of the chosen node, or who keeps the chosen arc. */
import type { RingLook } from './ring.tsx';
import { angleOf, arcAngle, chordPath, pointAt } from './ring-places.ts';

/** The radius at which lines begin and end. */
export const INSIDE = 146;
/** Older ones are in the table. */
const LOOKUPS_DRAWN = 8;

export function Inside({ look }: { readonly look: RingLook }) {
  return look.chosen.kind === 'arc' ? (
    <Keepers nth={look.chosen.arc} look={look} />
  ) : (
    <Ways place={look.chosen.place} look={look} />
  );
}

/** From an arc to its owner, and to who else keeps it. */
function Keepers({ nth, look }: { readonly nth: number; readonly look: RingLook }) {
  const { ring, colourOf } = look;
  const { owner, seats = [] } = ring.arcs[nth] ?? {};
  const places = [...new Set([...(owner === undefined ? [] : [owner]), ...seats])];
  return (
    <g class="ring-ways">
      {places.map((place) => {
        const kind = place === owner ? 'owner-way' : 'seat-way';
        const end = pointAt(angleOf(place), INSIDE);
        return (
          <g key={place} class={`tone-${colourOf(place)} ${kind}`}>
            <path d={chordPath(arcAngle(nth), angleOf(place), INSIDE)} />
            <circle cx={end.x} cy={end.y} r="3.5" />
          </g>
        );
      })}
    </g>
  );
}

/** Fingers of a node, and the keys that it looked up of late, the newest clearest. */
function Ways({ place, look }: { readonly place: string; readonly look: RingLook }) {
  const { detail, colourOf } = look;
  const { fingers = [], lookups = [] } = detail ?? {};
  const from = angleOf(place);
  return (
    <g class={`ring-ways tone-${colourOf(place)}`}>
      {fingers.map((finger) => {
        const end = pointAt(angleOf(finger.place), INSIDE);
        return (
          <g key={finger.id} class="finger">
            <path d={chordPath(from, angleOf(finger.place), INSIDE)} />
            <circle cx={end.x} cy={end.y} r="3" />
          </g>
        );
      })}
      {lookups.slice(0, LOOKUPS_DRAWN).map(({ key, at }, i) => {
        const end = pointAt(angleOf(key), INSIDE);
        return (
          <g key={`${key} ${at}`} class={`looked age-${Math.min(i, 3)}`}>
            <path d={chordPath(from, angleOf(key), INSIDE)} />
            <rect
              x={end.x - 3}
              y={end.y - 3}
              width="6"
              height="6"
              transform={`rotate(45 ${end.x} ${end.y})`}
            />
          </g>
        );
      })}
    </g>
  );
}
