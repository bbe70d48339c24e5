/**
 * A crawl, walked through once and written in the forms of other people's tools (B6). What the
 * bytes look like is thought out in ../../archive/; where they go is a port.
 *
 *   captures ─▶ walk.ts ─▶ warc-series.ts ─┬▶ folder-shelf.ts   warc.ts    a folder of WARC files
 *               │                          └▶ zip-shelf.ts      wacz.ts    one WACZ
 *               └▶ lines of the index ─▶ sorted-lines.ts, in order whatever their number
 *   fill.ts     which of both: copy.ts gives on the files that were written as the crawl went
 *               (copied-lines.ts is their index), walk.ts makes what is not in them (already.ts)
 */

export { type ArchiveJob, exportWacz } from './wacz.ts';
export type { ExportTold } from './walk.ts';
export { exportWarc } from './warc.ts';
export { type Shelf, type ShelfPlace, WarcWriter } from './warc-series.ts';
