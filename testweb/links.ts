/**
 * Which resources a page links to, as numbers: the graph before any HTML is spelled.
 *
 *   root, sections, parent, children     the tree that makes every page reachable
 *   random pages of the host             30 to 60 links in all
 *   other hosts                          a few; roots also carry the tree of hosts
 *
 * page.ts writes these links and truth.ts walks them, so what a page says and what is true of it
 * cannot drift apart.
 */
import { Dice, mix, SALT } from './hash.ts';
import { CHILDREN, type Host, MISSING_PER_HOST } from './hosts.ts';
import { isOrphan, type NatureTable, natureOf } from './nature.ts';
import { feedOf, isLeaf, missingOf } from './resources.ts';

export const HOST_CHILDREN = 4;

/** Two columns; `clear` keeps the arrays, so one list serves a whole walk. */
export class LinkList {
  readonly hosts: number[] = [];
  readonly resources: number[] = [];
  /** Links before this one are the page's navigation. */
  navEnd = 0;

  get length(): number {
    return this.hosts.length;
  }

  clear(): void {
    this.hosts.length = 0;
    this.resources.length = 0;
    this.navEnd = 0;
  }

  add(host: number, resource: number): void {
    this.hosts.push(host);
    this.resources.push(resource);
  }
}

export interface Graph {
  readonly hosts: readonly Host[];
  readonly natures: NatureTable;
  readonly errors: boolean;
}

/** The number that decides a page's links and text; twins share one (see `isTwin`). */
export function identityOf(graph: Graph, host: Host, resource: number): number {
  if (natureOf(graph.natures, host, resource) !== 'twin') return mix(host.seed, resource);
  return mix(mix(host.seed, SALT.twin), mix(host.seed + SALT.twin, resource) % 3);
}

export function linksOf(graph: Graph, host: Host, resource: number, into: LinkList): void {
  into.clear();
  const nature = natureOf(graph.natures, host, resource);
  addNavigation(host, into);
  if (nature === 'twin') {
    addRandom(graph, host, identityOf(graph, host, resource), into);
    return;
  }
  const page = resource < host.size ? resource : 0;
  if (resource > 0) into.add(host.index, page === 0 ? 0 : Math.floor((page - 1) / CHILDREN));
  if (nature === 'meta-nofollow' || nature === 'x-robots') return;
  if (resource < host.size) addChildren(host, page, into);
  if (resource === 0) addHostTree(graph, host, into);
  if (resource === 0 && host.feed) into.add(host.index, feedOf(host));
  addRandom(graph, host, mix(host.seed, resource), into);
}

function addNavigation(host: Host, into: LinkList): void {
  const sections = Math.min(5, host.inner);
  for (let page = 0; page < Math.max(1, sections); page++) into.add(host.index, page);
  into.navEnd = into.length;
}

function addChildren(host: Host, page: number, into: LinkList): void {
  const first = page * CHILDREN + 1;
  const end = Math.min(first + CHILDREN, host.size);
  for (let child = first; child < end; child++) {
    if (!isOrphan(host, child)) into.add(host.index, child);
  }
}

/** Below a host that shuts some crawler out, its children are named as well. */
function addHostTree(graph: Graph, host: Host, into: LinkList): void {
  const first = host.index * HOST_CHILDREN + 1;
  const end = Math.min(first + HOST_CHILDREN, graph.hosts.length);
  for (let index = first; index < end; index++) {
    const child = graph.hosts[index]!;
    into.add(index, 0);
    if (!child.trunk) addHostTree(graph, child, into);
  }
}

function addRandom(graph: Graph, host: Host, identity: number, into: LinkList): void {
  const dice = new Dice(mix(identity, SALT.links));
  const wanted = 30 + dice.below(31);
  const away = 2 + dice.below(3);
  for (let n = 0; n < away; n++) addAway(graph, dice, into);
  if (graph.errors && dice.below(100) < 3) {
    into.add(host.index, missingOf(host, dice.below(MISSING_PER_HOST)));
  }
  while (into.length < wanted) {
    const page = dice.below(host.size);
    into.add(host.index, isOrphan(host, page) ? 0 : page);
  }
}

function addAway(graph: Graph, dice: Dice, into: LinkList): void {
  const other = graph.hosts[dice.below(graph.hosts.length)]!;
  const page = dice.below(5) < 3 ? 0 : dice.below(other.size);
  const hidden = isLeaf(other, page) && isOrphan(other, page);
  into.add(other.index, hidden ? 0 : page);
}
