/**
 * Settings, declared once.
 *
 *   sections/ ──> settings.ts   the table, its names and its types
 *                     │
 *   arguments.ts      │      flags            ┐
 *   environment.ts    │      ORB_… variables  │
 *   config-file.ts    │      JSON, options    ├──> resolve.ts ──> relations.ts ──> Settings
 *   kind.ts, kinds-*  │      values           │                                 or Mistake[]
 *   mistake.ts, nearest.ts   sentences        ┘
 *   identity.ts              which of them make a folder's crawl that crawl
 *   exit-codes.ts            what a command ended as
 */
export { asksFor } from './arguments.ts';
export type { ConfigFile } from './config-file.ts';
export type { Environment } from './environment.ts';
export { EXIT_CODES, type ExitName, exitCode } from './exit-codes.ts';
export {
  type Identity,
  type IdentityDifference,
  identityDifferences,
  identityOf,
} from './identity.ts';
export type { HeaderLine, HostRate } from './kinds-web.ts';
export { exitCodeOf, type Mistake, type Origin } from './mistake.ts';
export { nearest } from './nearest.ts';
export type { Explicit } from './relations.ts';
export {
  handRoleOf,
  isClustered,
  isFetcher,
  readsElsewhere,
  rendersElsewhere,
} from './relations-cluster.ts';
export {
  configFileName,
  defaultSettings,
  isRefusal,
  type Refusal,
  type Resolution,
  resolveSettings,
  type Sources,
} from './resolve.ts';
export { seedMistake } from './seeds.ts';
export {
  ENTRIES,
  type Entry,
  entryByKey,
  isBeside,
  isSwitch,
  SECTION_TITLES,
  SETTINGS,
  type SectionName,
  type SettingKey,
  type SettingOptions,
  type Settings,
  valueIn,
  writeValue,
} from './settings.ts';
