/**
 * The table of settings: declared once, here and in `sections/`.
 *
 * The types of the resolved settings, the flags, the environment names, the options of the
 * library, the validator, the help and the reference page all follow from it. A name is
 * unique over all sections, because it is also the flag.
 */
import type { Kind } from './kind.ts';
import * as sections from './sections/index.ts';
import { kebab, type Resolved, type Setting } from './setting.ts';

export const SETTINGS = {
  crawl: sections.crawl,
  limits: sections.limits,
  scope: sections.scope,
  polite: sections.polite,
  agent: sections.agent,
  fetch: sections.fetch,
  content: sections.content,
  network: sections.network,
  usage: sections.usage,
  recrawl: sections.recrawl,
  rank: sections.rank,
  traps: sections.traps,
  render: sections.render,
  store: sections.store,
  regions: sections.regions,
  cpu: sections.cpu,
  output: sections.output,
  readable: sections.readable,
  show: sections.show,
  serve: sections.serve,
  cluster: sections.cluster,
  broker: sections.broker,
  fetcher: sections.fetcher,
  nearness: sections.nearness,
  ring: sections.ring,
  hooks: sections.hooks,
  comply: sections.comply,
  plan: sections.plan,
  fleet: sections.fleet,
  price: sections.price,
} as const;

export type SectionName = keyof typeof SETTINGS;

/** Every setting, resolved: `settings.fetch.timeoutMs`, `settings.polite.rate`. */
export type Settings = { readonly [S in SectionName]: Resolved<(typeof SETTINGS)[S]> };

export type SettingKey = {
  [S in SectionName]: `${S}.${keyof (typeof SETTINGS)[S] & string}`;
}[SectionName];

type Flat<U> = (U extends unknown ? (all: U) => void : never) extends (all: infer I) => void
  ? I
  : never;
/** What to show is asked of a folder and what to plan of nobody: no crawl is made with these. */
const SECTIONS_BESIDE = [
  'show',
  'serve',
  'cluster',
  'broker',
  'fetcher',
  'nearness',
  'ring',
  'comply',
  'plan',
  'fleet',
  'price',
] as const;
type AllSettings = Flat<(typeof SETTINGS)[Exclude<SectionName, (typeof SECTIONS_BESIDE)[number]>]>;

/** The library's options: the flags in camelCase, with the values of a settings file. */
export type SettingOptions = { readonly [N in keyof AllSettings]?: OptionOf<AllSettings[N]> };

type OptionOf<X> = X extends { default: infer V } ? Written<NonNullable<V>> : never;
type Written<V> = V extends boolean
  ? boolean
  : V extends number
    ? number | string
    : V extends string
      ? V
      : V extends readonly (infer I)[]
        ? readonly ItemOf<I>[] | ItemOf<I>
        : never;

type ItemOf<I> = I extends string ? I : I extends RegExp ? RegExp | string : string;

/** A row of the table with the names that follow from its place. */
export interface Entry {
  readonly key: SettingKey;
  readonly section: SectionName;
  readonly name: string;
  readonly flag: string;
  readonly environment: string;
  readonly property: string;
  readonly setting: Setting;
  readonly kind: Kind<unknown>;
}

export const SECTION_TITLES: Readonly<Record<SectionName, string>> = {
  crawl: 'Start and folder',
  limits: 'Where to end',
  scope: 'What belongs to the crawl',
  polite: 'Politeness',
  agent: 'Who is asking',
  fetch: 'Requests',
  content: 'Documents',
  network: 'Network',
  usage: 'What the crawl is for',
  recrawl: 'When to come back',
  rank: 'What hosts are worth',
  traps: 'What to leave out',
  render: 'Pages that live by their scripts',
  store: 'Storage',
  regions: 'Regions',
  cpu: 'Processor',
  output: 'Output',
  readable: 'Markdown',
  show: 'What to show',
  serve: 'The service',
  cluster: 'Many nodes, one crawl',
  broker: 'Who a node is to Kafka',
  fetcher: 'Whom a fetcher, parser or renderer works for',
  nearness: 'Who is near which hosts',
  ring: 'Many nodes, no centre',
  hooks: 'Webhooks',
  comply: 'What is decided about pages',
  plan: 'What to plan for',
  fleet: 'What one machine does',
  price: 'Prices',
};

export const ENTRIES: readonly Entry[] = Object.entries(SETTINGS).flatMap(([section, settings]) =>
  Object.entries(settings).map(([name, setting]) => entryOf(section as SectionName, name, setting)),
);

function entryOf(section: SectionName, name: string, row: unknown): Entry {
  const setting = row as Setting;
  const flag = kebab(name);
  return {
    key: `${section}.${name}` as SettingKey,
    section,
    name,
    flag,
    environment: `ORB_${section}_${flag}`.toUpperCase().replaceAll('-', '_'),
    property: name + setting.kind.suffix,
    setting,
    kind: setting.kind as Kind<unknown>,
  };
}

const BY_KEY: ReadonlyMap<string, Entry> = new Map(ENTRIES.map((entry) => [entry.key, entry]));
const BY_FLAG: ReadonlyMap<string, Entry> = new Map(
  ENTRIES.flatMap((entry) =>
    [entry.flag, ...(entry.setting.also ?? [])].map((flag) => [flag, entry] as const),
  ),
);
const BY_NAME: ReadonlyMap<string, Entry> = new Map(ENTRIES.map((entry) => [entry.name, entry]));
const BY_SHORT: ReadonlyMap<string, Entry> = new Map(
  ENTRIES.flatMap((entry) => (entry.setting.short ? [[entry.setting.short, entry] as const] : [])),
);
const BY_ENVIRONMENT: ReadonlyMap<string, Entry> = new Map(
  ENTRIES.map((entry) => [entry.environment, entry]),
);

export function entryByKey(key: string): Entry | undefined {
  return BY_KEY.get(key);
}

export function entryByFlag(flag: string): Entry | undefined {
  return flag.length === 1 ? BY_SHORT.get(flag) : BY_FLAG.get(flag);
}

export function entryByName(name: string): Entry | undefined {
  return BY_NAME.get(name);
}

export function entryByEnvironment(name: string): Entry | undefined {
  return BY_ENVIRONMENT.get(name);
}

/** True for a flag that stands alone: `--fresh`, `--no-fresh`. */
export function isSwitch(entry: Entry): boolean {
  return entry.kind.form === '';
}

/** True for a setting that no crawl is made with. */
export function isBeside({ section }: Entry): boolean {
  return SECTIONS_BESIDE.some((name) => name === section);
}

export function valueIn(settings: Settings, { section, property }: Entry): unknown {
  return (settings[section] as Readonly<Record<string, unknown>>)[property];
}

/** A value as one would write it; nothing for a value that is not set. */
export function writeValue({ kind }: Entry, value: unknown): string {
  return value === undefined ? '' : kind.write(value);
}
