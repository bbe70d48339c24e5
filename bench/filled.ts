/** A store of so many URLs on so many hosts, half of them waiting, for who brings no folder. */
import { type Filling, noteFilling, openArc } from './arc.ts';
import { admitNew, plantHosts, visitPages } from './fill.ts';
import { inChild } from './in-child.ts';
import { Population } from './population.ts';

export interface FillTask {
  readonly dir: string;
  readonly urls: number;
  readonly hosts: number;
}

export async function fillInChild(
  dir: string,
  size: { readonly urls: number; readonly hosts: number },
): Promise<Filling> {
  await inChild({ dir, ...size }, { module: import.meta.url });
  return { ...size, textBytes: 0 };
}

/** In a child. */
export async function work({ dir, urls, hosts }: FillTask): Promise<void> {
  const arc = await openArc(dir);
  const population = new Population(hosts);
  await plantHosts(arc, population);
  await admitNew(arc, population, hosts, urls, () => undefined);
  await visitPages(arc, population, [0, urls]);
  await arc.close();
  await noteFilling(dir, { urls, hosts, textBytes: 0 });
}
