/**
 * The dashboard as two endpoints. Everybody may have the pages: they hold nothing, and what
 * they ask the API for is guarded there. Nothing is read or built before the first call.
 */
import Type from 'typebox';
import type { WebAnswer } from '../../ports/web-server.ts';
import { CLOSED, type Endpoint, endpoint } from '../api/endpoint.ts';
import { problem } from '../api/problem.ts';
import { type DashboardFiles, dashboardFile, openDashboard } from './files.ts';

/** Nothing inline and nothing from elsewhere: crawled text that got in as markup does nothing. */
export const DASHBOARD_POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const GET = { method: 'GET', role: undefined } as const;

export function dashboardEndpoints(): readonly Endpoint[] {
  let files: Promise<DashboardFiles> | undefined;
  const answer = async (path: string) => {
    files ??= openDashboard();
    files.catch(() => {
      files = undefined;
    });
    return answerWith(await files, path);
  };
  return [
    endpoint({
      ...GET,
      path: '/',
      summary: 'The dashboard',
      answers: { 200: { what: 'A page', media: 'text/html', schema: Type.String() } },
      handle: () => answer('/'),
    }),
    endpoint({
      ...GET,
      path: '/assets/{name}',
      summary: 'What the dashboard is made of',
      params: Type.Object({ name: Type.String({ maxLength: 120 }) }, CLOSED),
      answers: {
        200: { what: 'A script, a style or a picture', media: '*/*', schema: Type.String() },
        404: { what: 'No such file: the service was updated, load the page again' },
      },
      handle: ({ params }) => answer(`/assets/${params.name}`),
    }),
  ];
}

function answerWith(files: DashboardFiles, path: string): WebAnswer {
  const file = dashboardFile(files, path);
  if (file === undefined) return problem('not-found', 'The dashboard has no such file.');
  const headers = {
    'content-type': file.type,
    'cache-control': file.cache,
    'content-security-policy': DASHBOARD_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
  return { status: 200, headers, body: file.bytes };
}
