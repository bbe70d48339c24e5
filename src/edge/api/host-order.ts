/** Hosts in any order and by part of a name: `GET /hosts` with `sort` or `search`. */
import Type, { type Static } from 'typebox';
import type { Surveys } from '../../crawl/serve-surveys.ts';
import { HOST_ORDERS, type HostOrder, type HostPlace } from '../../crawl/survey-hosts.ts';
import type { WebAnswer } from '../../ports/web-server.ts';
import { jsonAnswer } from './answer.ts';
import { limitOf, PLACE_CURSOR, readPlace, slicing, writePlace } from './cursor.ts';
import { hostView } from './host-view.ts';
import { problem } from './problem.ts';

export const HOST_ORDER = {
  sort: Type.Optional(
    Type.Enum(Object.keys(HOST_ORDERS) as HostOrder[], {
      description: 'Over all hosts, by a walk past them: some 7 microseconds for each',
    }),
  ),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'asc' })),
  search: Type.Optional(
    Type.String({ maxLength: 260, description: 'Part of a name, looked for in all of them' }),
  ),
};

const ORDERED = Type.Object({ ...HOST_ORDER, cursor: PLACE_CURSOR, limit: slicing(0).limit });

/** Undefined where neither an order nor a search is asked for. */
export async function orderedAnswer(
  surveys: Surveys,
  query: Static<typeof ORDERED>,
): Promise<WebAnswer | undefined> {
  const { sort, order = 'asc', search, cursor } = query;
  if (sort === undefined && search === undefined) return undefined;
  const after = cursor === undefined ? undefined : placeIn(readPlace(cursor));
  if (cursor !== undefined && after === undefined) return foreignCursor();
  const { rows, count, next } = await surveys.hosts({
    ...{ order: sort ?? 'host', isDescending: order === 'desc', limit: limitOf(query) },
    ...{ search: (search ?? '').trim().toLowerCase(), ...(after && { after }) },
  });
  const more = next === undefined ? {} : { next_cursor: writePlace([next.value, next.host]) };
  return jsonAnswer(200, { hosts: rows.map(hostView), count, ...more });
}

export function foreignCursor(): WebAnswer {
  const place = { in: 'query', pointer: '/cursor', detail: 'is no next_cursor of such a list' };
  return problem('invalid', 'The cursor belongs to another list.', {}, [place]);
}

function placeIn(read: unknown): HostPlace | undefined {
  if (!Array.isArray(read)) return undefined;
  const [value, host] = read as unknown[];
  const isValue = typeof value === 'string' || typeof value === 'number';
  return isValue && typeof host === 'string' ? { value, host } : undefined;
}
