/**
 * A web, computed: `openWeb` makes the tables that depend on the number of hosts, and every page
 * is a function of its URL from then on.
 */
import { EMPTY, splitUrl, type WebAnswer, type WebRequest, whole } from './exchange.ts';
import { type Host, hostsOf } from './hosts.ts';
import type { Graph } from './links.ts';
import { type Nature, natureOf, natureTable } from './nature.ts';
import { type Settings, settle, type WebOptions } from './options.ts';
import type { Label, PageState, QuarterName } from './quarters/index.ts';
import { pathOf, resourceOf } from './resources.ts';
import { type Site, siteAnswer } from './site.ts';
import { type NameAnswer, nameAnswer, openSpecials, type Special } from './specials.ts';
import { type Truth, type TruthQuestion, truthOf } from './truth.ts';
import { changeOf } from './versions.ts';

export interface Web {
  readonly settings: Settings;
  readonly hosts: readonly Host[];
  /** Hosts outside the numbered web: hostile ones, traps, names without a good address. */
  readonly specials: readonly Special[];
  answer(request: WebRequest): WebAnswer;
  /** What the name server says; `asked` counts earlier questions for the name. */
  resolve(name: string, asked?: number): NameAnswer;
  /** The page behind a URL and its state at an instant; undefined when there is none. */
  describe(url: string, atMs?: number): Description | undefined;
  /** What a URL of a quarter is in truth; undefined elsewhere, and where a real 404 is. */
  labelOf(url: string): Label | undefined;
  /** A changing page at an instant; undefined where pages don't change, or there is none. */
  stateAt(url: string, atMs: number): PageState | undefined;
  /** The URLs of a quarter that a crawl must fetch, host by host. */
  urlsIn(kind: QuarterName): string[];
  /** The first URLs of a kind, in order of hosts; empty when the web has none. */
  examples(nature: Nature, count?: number): string[];
  urlOf(host: number, resource: number): string;
  /** The special hosts by label: `urlOf` gives the page that does what the label says. */
  readonly hostile: { readonly labels: readonly string[]; urlOf(label: string): string };
  truth(question?: TruthQuestion): Truth;
  /** The same web at other ports. */
  at(ports: { readonly port: number; readonly tlsPort?: number }): Web;
}

export interface Description {
  readonly host: Host;
  readonly resource: number;
  readonly nature: Nature;
  readonly version: number;
  readonly changedAtMs: number;
  readonly changesEveryMs: number | undefined;
}

export function openWeb(options: WebOptions = {}): Web {
  const settings = settle(options);
  const hosts = hostsOf(settings);
  const natures = natureTable(settings.features);
  const graph: Graph = { hosts, natures, errors: settings.features.has('errors') };
  const byName = new Map(hosts.map((host) => [host.name, host]));
  const specials = openSpecials(settings);
  const specialByName = new Map(specials.map((special) => [special.hostName, special]));
  const linked = specials.filter((special) => special.linked);
  const roots = linked.map((special) => special.root);
  const popular = linked.filter((one) => one.quarter?.popular).map((special) => special.root);
  const extraOf = (host: Host) => (host.index === 0 ? roots : popular);
  const site: Site = { settings, graph, extraOf };

  const find = (url: string) => {
    const { name, path } = splitUrl(url);
    const host = byName.get(name);
    return host === undefined ? undefined : { host, path };
  };

  return {
    settings,
    hosts,
    specials,
    answer(request) {
      const { name, path } = splitUrl(request.url);
      const host = byName.get(name);
      if (host !== undefined) return allowed(request) ?? siteAnswer(site, host, path, request);
      const special = specialByName.get(name);
      if (special !== undefined) return special.answer(path, request);
      return whole(421, { 'content-type': 'text/plain' }, Buffer.from('no such host\n'));
    },
    resolve(name, asked = 0) {
      const lower = name.toLowerCase().replace(/\.$/, '');
      const host = byName.get(lower);
      if (host !== undefined) return { kind: 'address', address: host.address };
      return nameAnswer(specialByName.get(lower), asked);
    },
    describe(url, atMs = 0) {
      const at = find(url);
      const resource = at === undefined ? undefined : resourceOf(at.host, at.path);
      if (at === undefined || resource === undefined) return undefined;
      const nature = natureOf(natures, at.host, resource);
      if (nature === undefined) return undefined;
      const { version, changedAtMs, everyMs } = changeOf(at.host, resource, nature, atMs);
      return { host: at.host, resource, nature, version, changedAtMs, changesEveryMs: everyMs };
    },
    labelOf(url) {
      const { name, path } = splitUrl(url);
      return specialByName.get(name)?.quarter?.labelOf(path);
    },
    stateAt(url, atMs) {
      const { name, path } = splitUrl(url);
      return specialByName.get(name)?.quarter?.stateAt?.(path, atMs);
    },
    urlsIn: (kind) => specials.flatMap((special) => urlsOf(special, kind)),
    examples(nature, count = 1) {
      const found: string[] = [];
      for (const host of hosts) {
        for (let page = 0; page < host.size && found.length < count; page++) {
          if (natureOf(natures, host, page) === nature)
            found.push(host.origin + pathOf(host, page));
        }
      }
      return found;
    },
    urlOf: (host, resource) => hosts[host]!.origin + pathOf(hosts[host]!, resource),
    hostile: {
      labels: specials.map((special) => special.label),
      urlOf: (label) => targetOf(specials, label),
    },
    truth: (question = {}) => truthOf(graph, find, question),
    at: ({ port, tlsPort }) => openWeb({ ...options, port, tlsPort: tlsPort ?? settings.tlsPort }),
  };
}

function urlsOf({ origin, quarter }: Special, kind: QuarterName): string[] {
  return quarter?.kind === kind ? [...quarter.paths()].map((path) => origin + path) : [];
}

function allowed(request: WebRequest): WebAnswer | undefined {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  return whole(405, { allow: 'GET, HEAD' }, EMPTY);
}

function targetOf(specials: readonly Special[], label: string): string {
  const special = specials.find((one) => one.label === label);
  if (special === undefined) throw new RangeError(`this web has no special host '${label}'`);
  return special.target;
}
