/**
 * How the browser is started: so that it talks to nobody. All that its pages want is answered by
 * gate.ts; should a request ever slip past, it meets a proxy that is not there and names that
 * cannot be resolved, loopback and literal addresses included.
 */
import type { BrowserContextOptions } from 'playwright-core';
import type { RenderJob } from '../../ports/renderer.ts';

/** The discard port: nothing listens, and Chromium itself refuses to speak HTTP to it. */
const NOBODY = 'http://127.0.0.1:9';

const QUIET = [
  `--proxy-server=${NOBODY}`,
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--no-first-run',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

const SMALL = ['--disable-gpu', '--mute-audio', '--hide-scrollbars', '--disable-dev-shm-usage'];

/** Of the heap of a page's scripts; what is beyond it ends the page, not the machine. */
export const SCRIPT_HEAP_MB = 256;

export const FLAGS: readonly string[] = [
  '--headless',
  ...QUIET,
  ...SMALL,
  `--js-flags=--max-old-space-size=${SCRIPT_HEAP_MB}`,
];

/** A context is one page's whole world: no cookies, no storage, no rights, no downloads. */
export function contextOptions({ userAgent }: RenderJob): BrowserContextOptions {
  return {
    ...{ userAgent, acceptDownloads: false, permissions: [] },
    serviceWorkers: 'block',
    viewport: { width: 1_280, height: 1_600 },
  };
}

/** Run in every frame before its own scripts: ways to speak that no request is seen of. */
export const SILENCE = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection',
  'WebTransport', 'SharedWorker']) delete globalThis[name];`;
