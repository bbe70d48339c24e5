/** Metrics of rendering (O1, J2): what waits, what came of it, what it took. */
import { SECOND_MS } from '../base/instant.ts';
import { counter, type Family, gauge, labelled } from '../metrics/index.ts';
import { RENDER_FAILURES } from '../ports/renderer.ts';
import type { Renders } from './render.ts';

/** All of them are there without a browser, too: a series that appears late tells less. */
export function renderFamilies(renders: Renders | undefined): Family[] {
  const { waiting = 0, open = 0, rendered = 0, ms = 0, failures = {} } = renders ?? {};
  const { starts, deaths } = renders?.stats() ?? { starts: 0, deaths: 0 };
  const reasons = [...RENDER_FAILURES, 'queue-full'] as const;
  const failed = Object.fromEntries(reasons.map((reason) => [reason, failures[reason] ?? 0]));
  return [
    gauge('orb_js_render_queue_depth', 'Pages that wait for a browser.', waiting),
    gauge('orb_renders_open', 'Pages in a browser now.', open),
    counter('orb_renders_total', 'Pages that were rendered.', rendered),
    counter(
      'orb_render_failures_total',
      'Pages that were to be rendered and were kept as they were sent, by reason.',
      labelled('reason', failed),
    ),
    counter('orb_render_seconds_total', 'Time of pages in the browser.', ms / SECOND_MS),
    counter('orb_browser_starts_total', 'Browsers that were started.', starts),
    counter('orb_browser_deaths_total', 'Browsers that died by themselves.', deaths),
  ];
}
