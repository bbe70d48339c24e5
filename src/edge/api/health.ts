/** Whether the service lives, and whether it takes work: for whoever restarts and balances it. */
import Type from 'typebox';
import { jsonAnswer } from './answer.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { problem } from './problem.ts';

const GET = { method: 'GET', role: undefined } as const;

/** A crawl, or whoever works for one. */
export interface Draining {
  progress(): { readonly isDraining: boolean };
}

export function healthEndpoints({ progress }: Draining): readonly Endpoint[] {
  return [
    endpoint({
      ...GET,
      path: '/healthz',
      summary: 'The process answers',
      answers: { 200: { what: 'It does', schema: Type.Object({ status: Type.Literal('ok') }) } },
      handle: async () => jsonAnswer(200, { status: 'ok' }),
    }),
    endpoint({
      ...GET,
      path: '/readyz',
      summary: 'It is open and takes work',
      answers: {
        200: { what: 'It does', schema: Type.Object({ status: Type.Literal('ready') }) },
        503: { what: 'It is ending' },
      },
      handle: async () =>
        progress().isDraining
          ? problem('unavailable', 'The service finishes what is under way, and ends.')
          : jsonAnswer(200, { status: 'ready' }),
    }),
  ];
}
