/**
 * A site whose every text is an attack on whoever shows it (Y3): title, links, headers, body,
 * address. `pwned` is set wherever one of them works.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cleanup } from './place.ts';

const run = (n: number) => `"><img src=x onerror="window.pwned=${n}">`;

export const ATTACK_TITLE = `<script>window.pwned=1</script>${run(2)}\u001b[31mred\u202e`;
export const ATTACK_HEADER = run(3);

const BODY = `<!doctype html><title>${ATTACK_TITLE}</title>
<script>window.pwned = 4</script><p>${'Some words to be stored. '.repeat(20)}
<a href="/plain" title='${run(5)}'>&lt;img src=x onerror=window.pwned=6&gt;</a>
<a href='/?q=${run(7)}'>\u001b]0;owned\u0007</a>`;

/** The address of the page. */
export async function serveAttacks(t: Cleanup): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(`User-agent: *\n# ${ATTACK_TITLE}\nDisallow: /nothing\n`);
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'x-attack': ATTACK_HEADER,
      'last-modified': ATTACK_HEADER,
    });
    response.end(BODY);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/?x=%22%3E%3Cimg%20src=x%20onerror=%22window.pwned=8%22%3E`;
}
