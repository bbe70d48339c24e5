/** What the marks of the drawing mean; only those that are in it. */
import type { ComponentChildren } from 'preact';
import type { RingLook } from './ring.tsx';

type Entry = readonly [words: string, mark: ComponentChildren];

export function Legend({ look }: { readonly look: RingLook }) {
  const { ring, chosen } = look;
  const { nodes, arcs } = ring;
  const entries: Entry[] = [['this node', <ThisNode />]];
  if (nodes.some((node) => node.is_silent)) entries.push(['silent', <SilentNode />]);
  if (arcs.some((arc) => arc.is_handing)) entries.push(['moving', <Moving />]);
  if (look.behind.size > 0) entries.push(['a copy is behind', <Behind />]);
  entries.push(...(chosen.kind === 'arc' ? OF_ARC : ofNode(look)));
  return (
    <figcaption class="legend">
      {entries.map(([words, mark]) => (
        <span key={words}>
          {mark}
          {words}
        </span>
      ))}
      <span class="of-epochs">7 epoch</span>
    </figcaption>
  );
}

function Mark({ children, tone = '' }: { children: ComponentChildren; readonly tone?: string }) {
  return (
    <svg viewBox="-8 -8 16 16" aria-hidden="true" class={tone}>
      {children}
    </svg>
  );
}

const ThisNode = () => (
  <Mark tone="node tone-0">
    <circle class="dot-shape" r="6" />
    <circle class="me-shape" r="2.2" />
  </Mark>
);

const SilentNode = () => (
  <Mark tone="node silent">
    <circle class="dot-shape" r="6" />
  </Mark>
);

const Moving = () => (
  <Mark tone="tone-0">
    <rect class="band" x="-6" y="-6" width="12" height="12" />
    <rect x="-6" y="-6" width="12" height="12" fill="url(#handing)" />
  </Mark>
);

const Behind = () => (
  <Mark tone="tone-0">
    <rect class="band" x="-6" y="-6" width="12" height="12" />
    <rect class="behind" x="-6" y="3" width="12" height="3" />
  </Mark>
);

const OF_ARC: readonly Entry[] = [
  [
    'owner',
    <Mark tone="ring-ways owner-way tone-0">
      <path d="M-7 0H7" />
    </Mark>,
  ],
  [
    'copy',
    <Mark tone="ring-ways seat-way tone-0">
      <path d="M-7 0H7" />
    </Mark>,
  ],
];

function ofNode({ ring, chosen, detail, colourOf }: RingLook): readonly Entry[] {
  const place = chosen.kind === 'node' ? chosen.place : '';
  const tone = `tone-${colourOf(place)}`;
  const { fingers = [], lookups = [] } = detail ?? {};
  const isKeeper = ring.arcs.some(({ owner, seats }) => owner !== place && seats.includes(place));
  const all: readonly (readonly [boolean, ...Entry])[] = [
    [
      fingers.length > 0,
      'finger',
      <Mark tone={`ring-ways ${tone}`}>
        <path d="M-7 0H5" />
        <circle cx="5" r="3" />
      </Mark>,
    ],
    [
      isKeeper,
      'keeps a copy',
      <Mark tone={tone}>
        <rect class="kept" x="-7" y="-1.5" width="14" height="3" />
      </Mark>,
    ],
    [
      lookups.length > 0,
      'looked up',
      <Mark tone="looked">
        <rect x="-4" y="-4" width="8" height="8" transform="rotate(45)" />
      </Mark>,
    ],
  ];
  return all.flatMap(([isThere, words, mark]) => (isThere ? [[words, mark] as const] : []));
}
