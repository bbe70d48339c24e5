/** `GET /events`: the feed as server-sent events (A5). */
import Type from 'typebox';
import { streamAnswer } from './answer.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { type Feed, STREAMS_MAX } from './feed.ts';
import { problem } from './problem.ts';

export function eventsEndpoint(feed: Feed): Endpoint {
  return endpoint({
    ...{ method: 'GET', path: '/events', role: 'read' },
    summary: 'Server-sent events: `progress` once a second, and some of the pages as `page`',
    answers: {
      200: { what: 'A stream without end', media: 'text/event-stream', schema: Type.String() },
      503: { what: `${STREAMS_MAX} streams are open already` },
    },
    async handle() {
      if (feed.isFull) {
        const detail = `No more than ${STREAMS_MAX} streams are served at once.`;
        // A thousand who are turned away must not keep a thousand connections.
        const gone = { 'retry-after': '10', connection: 'close' };
        return problem('too-many-streams', detail, gone);
      }
      return streamAnswer((sink) => feed.join(sink));
    },
  });
}
