/**
 * The promises of a renderer, with pages that try to break them. A server on loopback counts
 * whoever connects: nobody may.
 */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import type { Rendered, Renderer, RenderJob, RenderOutcome, Wish, WishAnswer } from './renderer.ts';

export interface RendererPlace {
  readonly renderer: Renderer;
  /** Ends the browser as the system would; answers whether there was one. */
  kill(): boolean;
  /** Processes of browsers that this renderer started and that still run. */
  alive(): number;
}

const LIMITS = {
  ...{ pageMs: 2_500, wholeMs: 20_000, requests: 20, bytes: 1 << 22, domBytes: 1 << 20 },
  scrolls: 6,
};
const PAGE = 'http://app.test/start';

type Answer = (wish: Wish) => WishAnswer | Promise<WishAnswer>;

export function jobOf(html: string, answer: Answer = refuse, more: Partial<RenderJob> = {}) {
  const wishes: string[] = [];
  const job: RenderJob = {
    ...{ url: PAGE, status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } },
    ...{ body: Buffer.from(html), userAgent: 'Orbweaver', limits: LIMITS, screenshot: false },
    ask: async (wish) => {
      wishes.push(wish.url);
      return answer(wish);
    },
    ...more,
  };
  return { job, wishes };
}

export function rendererContract(name: string, open: () => RendererPlace): void {
  const place = open();
  const { renderer } = place;
  const says = (what: string) => `${name} renderer: ${what}`;
  const render = async (html: string, answer?: Answer, more?: Partial<RenderJob>) => {
    const { job, wishes } = jobOf(html, answer, more);
    return { outcome: await renderer.render(job), wishes };
  };

  describe(says('promises'), { concurrency: 3 }, () => {
    test(
      says('what scripts make of a page is what comes out, data and base included'),
      async () => {
        const html = `<title>a</title><div id=root></div><script src=/app.js></script>`;
        const app = `fetch('/data.json').then((r) => r.json()).then((d) => {
        history.replaceState(null, '', '/home/');
        root.innerHTML = '<a href=next>' + d.word + '</a>';
        const shadow = root.attachShadow({ mode: 'open' });
        shadow.innerHTML = '<a href=/shadow>s</a><p id=inner></p>';
        const inner = shadow.getElementById('inner').attachShadow({ mode: 'open' });
        inner.innerHTML = '<a href=/shadow-in-shadow>s</a>';
      })`;
        const { outcome, wishes } = await render(html, ({ url }) =>
          url.endsWith('.js') ? script(app) : data({ word: 'grüße' }),
        );
        const { html: out, base } = rendered(outcome);
        assert.match(out, /<a href="next">grüße<\/a>/);
        assert.match(out, /<a href="\/shadow">/);
        assert.match(out, /<a href="\/shadow-in-shadow">/);
        assert.equal(base, 'http://app.test/home/');
        assert.deepEqual(wishes, ['http://app.test/app.js', 'http://app.test/data.json']);
      },
    );

    test(says('a list that grows is scrolled, but not for ever'), async () => {
      const html = `<ul id=u></ul><script>let n = 0;
        const add = () => u.insertAdjacentHTML('beforeend', '<li style=height:3000px>row ' + n++);
        addEventListener('scroll', add); add();</script>`;
      const { outcome } = await render(html);
      const rows = rendered(outcome).html.split('<li').length - 1;
      assert.ok(rows >= 4 && rows <= LIMITS.scrolls + 2, `${rows} rows`);
    });

    test(
      says('alert boxes, downloads, popups and navigations: the page stays what it was'),
      async () => {
        const html = `<body><script>alert(1); confirm(2); prompt(3);
        window.open('http://popup.test/');
        const a = document.createElement('a'); a.download = 'x'; a.href = 'data:text/plain,x';
        document.body.append(a); a.click();
        setTimeout(() => { location.href = 'http://elsewhere.test/'; }, 20);
        setTimeout(() => { document.body.append('still here'); }, 60);
        onbeforeunload = () => 'stay?';</script>`;
        const { outcome, wishes } = await render(html);
        assert.match(rendered(outcome).html, /still here/);
        assert.deepEqual(wishes, [], 'no address was asked for');
      },
    );

    test(
      says('promise 1, 3: a loop without end ends with a reason, at once or later'),
      async () => {
        const loops = ['for(;;);', 'setTimeout(() => { for(;;); }, 30)'];
        const ends = await Promise.all(
          loops.map((loop) => render(`<body>x<script>${loop}</script>`)),
        );
        for (const { outcome } of ends) {
          assert.equal(outcome.kind === 'failed' && outcome.reason, 'timeout');
          assert.ok(outcome.ms < LIMITS.pageMs + 12_000, `${outcome.ms} ms`);
        }
      },
    );

    test(says('promise 1: allocating until death costs its page only'), async () => {
      const html = `<body><script>const all = []; setInterval(() => {
        for (let n = 0; n < 8; n++) all.push(new Uint8Array(3e7).fill(n)); fetch('/more'); }, 1);
        fetch('/wait')</script>`;
      const never = () => new Promise<WishAnswer>(() => undefined);
      const { outcome } = await render(html, never);
      assert.equal(outcome.kind === 'failed' && outcome.reason, 'crashed', JSON.stringify(outcome));
      assert.equal((await render('<p>next')).outcome.kind, 'rendered');
    });

    test(says('promise 1: a document without end is too large'), async () => {
      const html = `<body><script>document.body.textContent = 'word '.repeat(4e5)</script>`;
      const { outcome } = await render(html);
      assert.equal(outcome.kind === 'failed' && outcome.reason, 'too-large');
    });

    test(says('promise 3: a page that polls for ever is taken as it stands'), async () => {
      const html = `<body><script>setInterval(() => { document.body.append('t');
        new Worker(URL.createObjectURL(new Blob(['1']))); }, 50);
        document.write('<p>text'); addEventListener('load', () => fetch('/slow'))</script>
        <script src=/late.js></script>`;
      const never = ({ url }: Wish) =>
        url.endsWith('.js') ? script('') : new Promise<WishAnswer>(() => undefined);
      const limits = { ...LIMITS, wholeMs: 3_000 };
      const { outcome } = await render(html, never, { limits });
      assert.equal(rendered(outcome).isCut, true);
      assert.ok(outcome.ms < 9_000, `${outcome.ms} ms`);
    });

    test(says('requests beyond their limit are refused'), async () => {
      const html = `<body><script>for (let n = 0; n < 50; n++) fetch('/' + n).catch(() => 0)</script>`;
      const { outcome, wishes } = await render(html, () => data({}));
      assert.equal(outcome.kind, 'rendered');
      assert.equal(wishes.length, LIMITS.requests);
    });

    test(says('promise 2: whatever a page tries, nobody is connected to'), async (t) => {
      let connections = 0;
      const server = createServer((socket) => {
        connections++;
        socket.destroy();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close());
      const { port } = server.address() as AddressInfo;
      const datagrams = createSocket('udp4', () => connections++).bind(port, '127.0.0.1');
      await once(datagrams, 'listening');
      t.after(() => datagrams.close());
      const at = `127.0.0.1:${port}`;
      const headers = {
        'content-type': 'text/html',
        'content-security-policy-report-only': `script-src 'none'; report-uri http://${at}/report`,
        'report-to': `{"group":"default","max_age":9,"endpoints":[{"url":"http://${at}/report"}]}`,
        link: `<http://${at}/hinted>; rel=preload; as=script, <http://${at}>; rel=preconnect`,
      };
      const answer: Answer = ({ url }) =>
        url.includes('/frame') ? page(`<script>fetch('http://${at}/inner')</script>`) : refuse();
      const { outcome, wishes } = await render(everyWayTo(at), answer, { headers });
      assert.match(rendered(outcome).html, /the end/);
      assert.equal(connections, 0);
      assert.ok(
        wishes.some((url) => url.endsWith('/fetch')),
        'the gate was asked',
      );
      assert.ok(
        wishes.some((url) => url.endsWith('/frame')),
        'for frames, too',
      );
      for (const quiet of ['/image', '/post', '/prefetch', '/socket', '/beacon', '/font']) {
        assert.ok(!wishes.some((url) => url.endsWith(quiet)), `${quiet} is not even asked for`);
      }
    });

    test(says('a picture is a PNG'), async () => {
      const { outcome } = await render('<h1>Hello', undefined, { screenshot: true });
      const { screenshot } = rendered(outcome);
      assert.equal(Buffer.from(screenshot ?? []).toString('latin1', 1, 4), 'PNG');
    });
  });

  test(says('promise 4: killed in the middle of a page, the page is tried once more'), async () => {
    let asked = 0;
    const killing = () => {
      if (++asked === 1) assert.ok(place.kill(), 'there is a browser to kill');
      return script(`document.body.append('survived')`);
    };
    const { outcome } = await render('<body><script src=/a.js></script>', killing);
    assert.match(rendered(outcome).html, /survived/);
    assert.equal(asked, 2);
  });

  test(says('promise 4: killed each time, the page ends with a reason'), async () => {
    const killing = () => {
      place.kill();
      return refuse();
    };
    const { outcome } = await render('<body><script src=/a.js></script>', killing);
    assert.equal(outcome.kind === 'failed' && outcome.reason, 'crashed');
  });

  test(says('promise 5: after close no process is left, and nothing is started'), async () => {
    assert.equal((await render('<p>last')).outcome.kind, 'rendered');
    await renderer.close();
    assert.equal(place.alive(), 0);
    assert.equal((await render('<p>too late')).outcome.kind, 'failed');
    assert.equal(place.alive(), 0);
  });
}

function rendered(outcome: RenderOutcome): Rendered {
  assert.ok(outcome.kind === 'rendered', JSON.stringify(outcome));
  return outcome;
}

function refuse(): WishAnswer {
  return { kind: 'refused', reason: 'not here' };
}

function answerOf(type: string, text: string): WishAnswer {
  const headers = { 'content-type': type };
  return { kind: 'answered', status: 200, headers, body: Buffer.from(text) };
}

const script = (text: string) => answerOf('text/javascript', text);
const page = (text: string) => answerOf('text/html', text);
const data = (value: object) => answerOf('application/json', JSON.stringify(value));

/** Each way that a page has to speak to a server. */
function everyWayTo(server: string): string {
  const at = `http://${server}`;
  return `<head><link rel=prefetch href=${at}/prefetch><link rel=preconnect href=${at}>
    <link rel=dns-prefetch href=${at}><link rel=modulepreload href=${at}/module>
    <link rel=icon href=${at}/image><link rel=manifest href=${at}/manifest>
    <style>@font-face { font-family: f; src: url(${at}/font) } body { font-family: f;
    background: url(${at}/image) } @import url(${at}/css);</style>
    <script type=speculationrules>{"prerender":[{"urls":["${at}/prerender"]}]}</script></head>
    <body><img src=${at}/image><iframe src=${at}/frame></iframe><object data=${at}/object></object>
    <embed src=${at}/embed><video src=${at}/video></video><form id=f action=${at}/form></form>
    <a id=p href=# ping=${at}/ping>x</a><script>
    const quiet = () => undefined;
    fetch('${at}/fetch').catch(quiet);
    fetch('${at}/post', { method: 'POST', body: 'x' }).catch(quiet);
    fetch('${at}/kept', { keepalive: true }).catch(quiet);
    const x = new XMLHttpRequest(); x.open('GET', '${at}/xhr'); x.onerror = quiet; x.send();
    try { new WebSocket('ws://${server}/socket').onerror = quiet } catch {}
    try { new EventSource('${at}/events').onerror = quiet } catch {}
    navigator.sendBeacon('${at}/beacon', 'x');
    navigator.serviceWorker?.register('/sw.js').catch(quiet);
    try { new RTCPeerConnection({ iceServers: [{ urls: 'stun:${server}' }] }).createDataChannel('x') } catch {}
    try { new WebTransport('https://${server}/transport').ready.catch(quiet) } catch {}
    const code = "fetch('${at}/worker').catch(() => 0); new WebSocket('ws://${server}/socket')";
    new Worker(URL.createObjectURL(new Blob([code]))); p.click();
    const nested = "new Worker(URL.createObjectURL(new Blob([" + JSON.stringify(code) + "])))";
    new Worker(URL.createObjectURL(new Blob([nested])));
    for (const make of [(f) => {}, (f) => { f.srcdoc = '<p>' }, (f) => { f.src = 'data:text/html,x' },
      (f) => { f.src = URL.createObjectURL(new Blob(['<script>' + code + '<\\/script>'], { type: 'text/html' })) }]) {
      const frame = document.createElement('iframe'); make(frame); document.body.append(frame);
      try {
        const inner = new frame.contentWindow.RTCPeerConnection({ iceServers: [{ urls: 'stun:${server}' },
          { urls: 'turn:${server}?transport=tcp', username: 'x', credential: 'x' }] });
        inner.createDataChannel('x'); inner.createOffer().then((offer) => inner.setLocalDescription(offer));
      } catch {}
    }
    try { fetchLater('${at}/later') } catch {}
    try { new SharedWorker(URL.createObjectURL(new Blob([code]))) } catch {}
    import('${at}/import').catch(quiet); new Image().src = '${at}/image';
    setTimeout(() => { document.body.append('the end'); f.submit(); window.open('${at}/popup') }, 100);
    </script>`;
}
