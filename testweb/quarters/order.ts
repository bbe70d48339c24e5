/**
 * Quarters as a person orders them: `--quarters calendar=2,encyclopaedia=1x50000,farm`.
 *
 *   name            as large as usual
 *   name=2          two hosts
 *   name=2x300      two hosts of 300 pages
 */
import { QUARTERS, type QuarterName, type QuarterOrder, type Quarters } from './quarter.ts';

const USUAL: Partial<Record<QuarterName, number>> = {
  encyclopaedia: 50_000,
  farm: 300,
  ranked: 200,
  template: 60,
  changing: 60,
  app: 12,
};
const USUAL_PAGES = 30;

export function parseQuarters(text: string): Quarters {
  const found: Partial<Record<QuarterName, { hosts?: number; pages?: number }>> = {};
  for (const item of text.split(',').filter((part) => part !== '')) {
    const [, name = '', hosts, pages] = /^([a-z0-9-]+)(?:=(\d+)(?:x(\d+))?)?$/.exec(item) ?? [];
    if (!isQuarter(name)) throw new RangeError(`no quarter '${item}': ${QUARTERS.join(', ')}`);
    found[name] = {
      ...(hosts !== undefined && { hosts: Number(hosts) }),
      ...(pages !== undefined && { pages: Number(pages) }),
    };
  }
  return found;
}

export function ordersOf(quarters: Quarters, seed: number): QuarterOrder[] {
  return QUARTERS.filter((kind) => quarters[kind] !== undefined).map((kind) => {
    const { hosts = 1, pages = USUAL[kind] ?? USUAL_PAGES } = quarters[kind]!;
    if (!(hosts >= 1) || !(pages >= 1)) {
      throw new RangeError(`quarter ${kind} needs hosts and pages, not ${hosts} and ${pages}`);
    }
    return { kind, seed, hosts, pages };
  });
}

const isQuarter = (name: string): name is QuarterName =>
  (QUARTERS as readonly string[]).includes(name);
