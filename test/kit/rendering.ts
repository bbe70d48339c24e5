/** A node's desk for browsers elsewhere behind the real server, and a hand that has one. */
import {
  listenWeb,
  openRenderingLender,
  type RenderingLender,
} from '../../src/adapters/api/index.ts';
import { systemClock, systemRandom } from '../../src/adapters/node/index.ts';
import { Hand } from '../../src/crawl/hand.ts';
import { Renderings } from '../../src/crawl/renderings.ts';
import { siteOf } from '../../src/edge/api/index.ts';
import { renderEndpoints } from '../../src/edge/api/render.ts';
import type { Renderer, RenderOutcome, RenderTask } from '../../src/ports/renderer.ts';

/** A renderer whose pages go over HTTP to a hand with `browser`, and what they ask for comes back. */
export function remoteRenderer(browser: Renderer): Renderer {
  const clock = systemClock();
  const renderings = new Renderings({ clock, random: systemRandom() });
  const site = siteOf(renderEndpoints(renderings), {
    ...{ clock, names: [], tokens: [], isOpen: true, requestsPerSecond: 10_000 },
    onBug: (error) => {
      throw error;
    },
  });
  const hand = new Hand<RenderTask, RenderOutcome, RenderingLender>(clock, {
    do: ({ id, job }, lender, signal) =>
      browser.render({ ...job, ask: (wish) => lender.ask(id, wish) }, signal),
    bytesOf: () => 0,
    atOnce: 3,
  });
  const open = async () => {
    const listener = await listenWeb(site, { bind: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${listener.port}/`;
    return { listener, run: hand.run([openRenderingLender({ url, worker: 'one' })]) };
  };
  const opened = open();
  return {
    find: () => browser.find(),
    stats: () => browser.stats(),
    render: (job, signal) => renderings.render(job, signal),
    close: async () => {
      const { listener, run } = await opened;
      await renderings.close();
      hand.abort();
      await browser.close();
      await run;
      await listener.close();
    },
  };
}
