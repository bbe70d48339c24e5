/**
 * The test web: a web computed from (seed, URL), with its own truth and its own log.
 *
 *   options ─ hosts ─ resources ─ nature ─ links     what exists, as numbers
 *                                   │        └────── truth      what a crawl must find
 *        hrefs ─ page ─ site ─ web.answer()                     one URL, one answer
 *   documents charsets coding versions robots sitemaps          the parts of an answer
 *   specials: hostile traps names                               hosts that mean harm
 *             quarters/                                         hosts that need judgement
 *
 *   serve (listen, play, serve-tls, dns) ── real servers on loopback ──┐
 *   memory ──────────────────────────────── ports in virtual time ─────┴─ log ─ audit
 *   main (control) ──────────────────────── the servers as a process of their own
 *   judge, judge-quarters ───────────────── log beside truth
 */
export { type Duplicate, duplicates, type Gap, gaps, isAside, perAddressGaps } from './audit.ts';
export type { AnswerBody, WebAnswer, WebRequest } from './exchange.ts';
export { HOSTILE } from './hostile.ts';
export type { Host } from './hosts.ts';
export { type Judgement, judge } from './judge.ts';
export { judgeQuarters, type QuarterJudgement } from './judge-quarters.ts';
export { type LogRow, RequestLog, TRIPWIRE } from './log.ts';
export { type MemoryOptions, webHttp } from './memory.ts';
export { webResolver } from './memory-names.ts';
export { PRIVATE_NAMES, TLS_LABELS } from './names.ts';
export { type Nature, PAGE_NATURES } from './nature.ts';
export { BENIGN, type Feature, HARSH, type Profile, type WebOptions } from './options.ts';
export {
  changesBetween,
  DEAD_LINKS,
  EDITS,
  editedProse,
  type Label,
  LEAVING_FROM_MS,
  lastChange,
  type PageState,
  type Process,
  pageRank,
  parseQuarters,
  proseOf,
  QUARTERS,
  type QuarterHost,
  type QuarterName,
  type QuarterSize,
  type Quarters,
  type Role,
  SOFT_404_ENDS_MS,
  sameText,
  type Validators,
} from './quarters/index.ts';
export { type ServeOptions, serveWeb, type WebServer } from './serve.ts';
export type { Special } from './specials.ts';
export { TRAP_LABELS } from './traps.ts';
export { CLASSES, type Truth, type TruthClass, type TruthQuestion } from './truth.ts';
export { type Description, openWeb, type Web } from './web.ts';
