/** The ring that this node is on: all of it, one node, and who owns a host (O2, D2). */
import Type from 'typebox';
import type { RingAnswers } from '../../crawl/ring-survey.ts';
import type { CrawlSession } from '../../crawl/session.ts';
import type { WebAnswer } from '../../ports/web-server.ts';
import { hostOf } from '../../url/index.ts';
import { jsonAnswer } from './answer.ts';
import { CLOSED, type Endpoint, endpoint } from './endpoint.ts';
import { problem } from './problem.ts';
import {
  arcView,
  nodeDetailView,
  peerView,
  RING,
  RING_ARC,
  RING_NODE_DETAIL,
  RING_PEER,
  ringView,
} from './ring-view.ts';

const READ = { method: 'GET', role: 'read' } as const;
const NO_RING = { 404: { what: 'This node is on no ring' } };

export function ringEndpoints({ ringAnswers, lookups }: CrawlSession): readonly Endpoint[] {
  return [whole(ringAnswers), one(ringAnswers), lookup(ringAnswers, lookups.canonical)];
}

function noRing(): WebAnswer {
  return problem('not-found', 'This node is on no ring; `orb ring start` or `join` begins one.');
}

function whole(ring: RingAnswers | undefined): Endpoint {
  return endpoint({
    ...{ ...READ, path: '/ring' },
    summary: 'The ring as this node finds it: nodes, silent ones among them, and all arcs',
    answers: { 200: { what: 'As of a second or some ago', schema: RING }, ...NO_RING },
    async handle() {
      return ring === undefined ? noRing() : jsonAnswer(200, ringView(await ring.survey()));
    },
  });
}

/** A key in base64url, or a place in hex: they differ in length. */
const NODE_NAME = Type.String({
  pattern: '^(?:[0-9a-f]{16}|[A-Za-z0-9_-]{43})$',
  description: 'The id of a node, or its place',
});

function one(ring: RingAnswers | undefined): Endpoint {
  return endpoint({
    ...{ ...READ, path: '/ring/nodes/{id}' },
    summary: 'One node in its own words: neighbours, fingers, arcs, lookups; asked now',
    params: Type.Object({ id: NODE_NAME }, CLOSED),
    answers: {
      200: { what: 'The node; a silent one without what it would say', schema: RING_NODE_DETAIL },
      404: { what: 'No node of the ring is named so, or this node is on no ring' },
    },
    async handle({ params }) {
      if (ring === undefined) return noRing();
      const node = await ring.node(params.id);
      if (node === undefined) return problem('not-found', 'No node that can be found is named so.');
      return jsonAnswer(200, nodeDetailView(node));
    },
  });
}

const OWNER = Type.Object({
  host: Type.String(),
  place: Type.String({ description: 'Of the host on the circle' }),
  arc: RING_ARC,
  owner: { ...RING_PEER, description: "Who should own it, by the ring's own lookup" },
  hops: Type.Integer({ description: 'Nodes that were asked' }),
  ms: Type.Number(),
});

function lookup(ring: RingAnswers | undefined, canonical: (url: string) => string | undefined) {
  return endpoint({
    ...{ ...READ, path: '/ring/lookup' },
    summary: 'Who owns a host',
    query: Type.Object({ host: Type.String({ minLength: 1, maxLength: 260 }) }, CLOSED),
    answers: {
      200: { what: 'Its place, its arc and its owner', schema: OWNER },
      ...{ ...NO_RING, 503: { what: 'Nobody who was asked knew' } },
    },
    async handle({ query }) {
      if (ring === undefined) return noRing();
      const url = /[/?#@\\]/.test(query.host) ? undefined : canonical(`http://${query.host}/`);
      if (url === undefined) return problem('invalid', `The query's host is no name of a host.`);
      const { place, found, ms, arc } = await ring.lookup(hostOf(url));
      if (found === undefined) return problem('unavailable', UNFOUND);
      const { owner, hops } = found;
      const where = { host: hostOf(url), place, arc: arcView(arc) };
      return jsonAnswer(200, {
        ...where,
        owner: peerView(owner),
        hops,
        ms: Math.round(10 * ms) / 10,
      });
    },
  });
}

const UNFOUND = 'No node that was asked knew the owner: the ring may be mending itself. Ask again.';
