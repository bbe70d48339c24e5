/**
 * The TLS face: one certificate for all honest names, signed by an authority made for the run,
 * and bad ones for the hosts that are named after what is wrong with them.
 *
 * HTTP/2 is offered by ALPN; who does not ask for it gets HTTP/1.1.
 */
import { createSecureServer } from 'node:http2';
import { createSecureContext, type SecureContext } from 'node:tls';
import { type Identity, makeAuthority, makeCertificate } from './certificate.ts';
import { listenOn } from './listen.ts';
import type { Incoming, Outgoing } from './play.ts';
import type { Web } from './web.ts';

export interface TlsFace {
  readonly port: number;
  readonly ca: string;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
const WRONG_NAME = 'somebody-else.example';

export async function openTls(
  web: Web,
  addresses: readonly string[],
  port: number,
  handler: (request: Incoming, response: Outgoing, tripwire: boolean) => void,
): Promise<TlsFace> {
  const { ca, good, bad } = identities(web, new Date());
  const contexts = new Map<string, SecureContext>();
  for (const [name, identity] of bad) contexts.set(name, createSecureContext(identity));
  const fallback = createSecureContext(good);
  const server = createSecureServer({
    ...good,
    allowHTTP1: true,
    SNICallback: (name, done) => done(null, contexts.get(name) ?? fallback),
  });
  server.on('request', (request, response) => handler(request, response, false));
  server.on('sessionError', () => {});
  server.on('tlsClientError', () => {});
  const listening = await listenOn(addresses, port, (socket) => server.emit('connection', socket));
  return { port: listening.port, ca, close: () => listening.close() };
}

function identities(web: Web, today: Date) {
  const from = new Date(today.getTime() - DAY_MS);
  const to = new Date(today.getTime() + 30 * DAY_MS);
  const authority = makeAuthority('Orbweaver test authority', from, to);
  const names = [...new Set(web.hosts.map((host) => `*.${host.domain}`))];
  names.push(`*.x${web.settings.seed}.test`);
  const good = makeCertificate({ names, notBefore: from, notAfter: to, authority });
  const bad = new Map<string, Identity>();
  for (const { label, hostName } of web.specials) {
    const identity = badIdentity(label, hostName, { from, to, today, authority });
    if (identity !== undefined) bad.set(hostName, identity);
  }
  return { ca: authority.cert, good, bad };
}

function badIdentity(
  label: string,
  name: string,
  time: { from: Date; to: Date; today: Date; authority: ReturnType<typeof makeAuthority> },
): Identity | undefined {
  const { from: notBefore, to: notAfter, today, authority } = time;
  if (label === 'tls-expired') {
    const old = new Date(today.getTime() - 60 * DAY_MS);
    return makeCertificate({ names: [name], notBefore: old, notAfter: notBefore, authority });
  }
  if (label === 'tls-wrong-name') {
    return makeCertificate({ names: [WRONG_NAME], notBefore, notAfter, authority });
  }
  if (label !== 'tls-self-signed') return undefined;
  return makeCertificate({ names: [name], notBefore, notAfter });
}
