/**
 * Who we are, for the owners of the sites that we ask (P6, P8): the page behind the address in
 * our user agent, and the directory of the keys that our requests are signed with. For everybody.
 *
 * The directory is signed for the host of the settings, never for the Host of a call: else anyone
 * could have our list signed for a host of theirs.
 */
import Type from 'typebox';
import type { Settings } from '../../config/index.ts';
import { identityFrom } from '../../crawl/plan.ts';
import { userAgent } from '../../fetch/index.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  authorityOf,
  DIRECTORY_PATH,
  DIRECTORY_TYPE,
  directoryOf,
  infoPage,
  type SignKey,
} from '../../sign/index.ts';
import { type Endpoint, endpoint, textEndpoint } from './endpoint.ts';

export function identityEndpoints(
  settings: Settings,
  key: SignKey | undefined,
  clock: Clock,
): readonly Endpoint[] {
  const { robotsToken, contact, signatureAgent } = settings.agent;
  const directoryUrl = signatureAgent && `${signatureAgent}${DIRECTORY_PATH}`;
  const facts = { robotsToken, userAgent: userAgent(identityFrom(settings)), contact };
  const keyids = key === undefined ? [] : [key.keyid];
  const about = textEndpoint(
    '/about-the-crawler',
    'Who crawls, how to reach them, and how to keep the crawler out',
    'text/html; charset=utf-8',
    () => infoPage({ ...facts, directoryUrl, keyids }),
  );
  if (key === undefined || signatureAgent === undefined) return [about];
  return [about, directoryEndpoint(key, authorityOf(signatureAgent), clock)];
}

function directoryEndpoint(key: SignKey, authority: string, clock: Clock): Endpoint {
  return endpoint({
    ...{ method: 'GET', path: DIRECTORY_PATH, role: undefined },
    summary: 'The keys that requests are signed with (Web Bot Auth)',
    answers: { 200: { what: 'The directory', media: DIRECTORY_TYPE, schema: Type.String() } },
    handle: async () => ({ status: 200, ...directoryOf([key], clock.now(), authority) }),
  });
}
