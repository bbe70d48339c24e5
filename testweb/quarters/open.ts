/** From an order to hosts: one line a kind. */
import { appHosts } from './app.ts';
import { archiveHosts } from './archive.ts';
import { changingHosts } from './changing.ts';
import { editedHosts, mirrorHosts, printerHosts, syndicatedHosts } from './copies.ts';
import { documentHosts } from './documents.ts';
import { encyclopaediaHosts } from './encyclopaedia.ts';
import { farmHosts, singleHosts, templateHosts } from './farm.ts';
import { ordersOf } from './order.ts';
import type { QuarterHost, QuarterName, QuarterOrder, Quarters } from './quarter.ts';
import { rankedHosts } from './ranked.ts';
import { soft404Hosts } from './soft-404.ts';
import { trapHosts } from './traps.ts';

const MAKERS: Readonly<Record<QuarterName, (order: QuarterOrder) => QuarterHost[]>> = {
  calendar: trapHosts,
  'calendar-filler': trapHosts,
  session: trapHosts,
  'session-filler': trapHosts,
  'session-path': trapHosts,
  'session-path-filler': trapHosts,
  facets: trapHosts,
  'facets-filler': trapHosts,
  loop: trapHosts,
  'loop-filler': trapHosts,
  pager: trapHosts,
  'pager-filler': trapHosts,
  encyclopaedia: encyclopaediaHosts,
  mirror: mirrorHosts,
  printer: printerHosts,
  syndicated: syndicatedHosts,
  archive: archiveHosts,
  edited: editedHosts,
  'soft-404': soft404Hosts,
  'soft-404-echo': soft404Hosts,
  'soft-404-recovers': soft404Hosts,
  farm: farmHosts,
  template: templateHosts,
  single: singleHosts,
  changing: changingHosts,
  ranked: rankedHosts,
  app: appHosts,
  documents: documentHosts,
};

export function openQuarters(quarters: Quarters, seed: number): QuarterHost[] {
  return ordersOf(quarters, seed).flatMap((order) => MAKERS[order.kind](order));
}
