/**
 * Soft 404 (C3): a page that is not there, with status 200.
 *
 *   says so       a short page whose title or text says 'not found', in any of many languages
 *   one body      stands behind more than 30% of the host's pages
 *   impossible    the same answer as to a URL that cannot exist, which is asked for once
 *
 * A host of few pages proves nothing: a host with one page is one body, whole. Flags end when
 * the share falls, so that a host that was mended is forgiven.
 */
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { UrlRecord } from '../record/index.ts';
import { hashIn } from './bits.ts';
import type { BodyCount, HostSketch } from './sketch.ts';

export interface Soft404Policy {
  /** Share of a host's pages behind which one body stands. */
  readonly share: number;
  /** Times that the body must have been met. */
  readonly copiesMin: number;
  /** When a flagged page is looked at again. */
  readonly refreshMs: number;
}

export const SOFT_404: Soft404Policy = { share: 0.3, copiesMin: 10, refreshMs: 30 * DAY_MS };

/** A body that has come up this often, on this share of pages, is a reason to ask for more. */
const PROBE_COPIES = 4;
const PROBE_PAGES = 20;
const PROBE_SHARE = 0.1;
const NEAR_BITS = 3;
const PROBE_AGAIN_MS = 30 * DAY_MS;
/** The share at which a flag ends is lower than that at which it begins. */
const RECOVERED = 0.6;
/** Pages of more words say something else, too. */
export const MISSING_WORDS_MAX = 120;

/** What a page that is not there says of itself. */
const MISSING = new RegExp(
  [
    String.raw`\b(?:error|http)?\s*404\b.{0,40}\b(?:not found|error|page)\b`,
    String.raw`\b(?:page|file|document|url|address|article|product|content|item|resource)\b.{0,40}` +
      String.raw`\b(?:not found|(?:does|did|do)(?: not|n.t) exist|(?:could|can)(?:not| not|n.t) be found|no longer (?:exists?|available))`,
    String.raw`\b(?:couldn.t|could not|can.t|cannot) find\b.{0,30}\b(?:page|file|document|address|what you)`,
    String.raw`\bno such (?:page|file|article|document)\b|\bnothing (?:was )?found here\b|^not found\b`,
    String.raw`\b(?:seite|dokument|datei|artikel)\b.{0,30}\bnicht (?:gefunden|vorhanden|verf.gbar)`,
    String.raw`\b(?:page|document|fichier|article)\b.{0,30}\b(?:introuvable|non trouv|n.existe (?:pas|plus))`,
    String.raw`\b(?:p.gina|documento|archivo|art.culo|arquivo)\b.{0,30}\b(?:no (?:encontrad|existe|se (?:ha )?encontr)|n.o (?:encontrad|existe|foi encontrad))`,
    String.raw`\bpagina\b.{0,30}\b(?:non (?:trovata|esiste|.\s?stata trovata)|niet gevonden|bestaat niet|nu a fost)`,
    String.raw`\b(?:sidan|siden|side|sivua)\b.{0,30}\b(?:hittades inte|ikke (?:funnet|fundet)|finns inte|ei l.ytynyt)`,
    String.raw`\b(?:strona|str.nka)\b.{0,30}\b(?:nie (?:istnieje|zosta.a znaleziona)|nenalezena|neexistuje)`,
    String.raw`\bnie znaleziono\b|\bsayfa bulunamad|\bhalaman tidak ditemukan|kh.ng t.m th.y trang`,
    'страниц[аы].{0,30}не (?:найдена|существует)|сторінк[аи].{0,20}не знайден',
    'ページ(?:が|は)?(?:見つかりません|存在しません)|页面(?:不存在|未找到)|找不到(?:页面|網頁|该页)|頁面不存在',
    '페이지를 찾을 수 없|الصفحة غير موجودة|הדף לא נמצא',
  ].join('|'),
  'iu',
);

/** A page about missing pages is long, or says more than that: only short ones are believed. */
export function saysMissing(title: string, text: string, words: number): boolean {
  return words <= MISSING_WORDS_MAX && (MISSING.test(text) || MISSING.test(title));
}

export const MISSING_REASON = 'a short page that says that there is no such page, with status 200';

/** The body that stands behind too much of the host, if one does. */
export function judgeSoft404(sketch: HostSketch, policy: Soft404Policy, now: Instant): void {
  const top = heaviest(sketch);
  if (sketch.soft404 === undefined) {
    if (top === undefined || top.weight < policy.copiesMin) return;
    if (top.weight <= policy.share * sketch.pages) return;
    const percent = Math.round((100 * top.weight) / sketch.pages);
    sketch.softBody = top.key;
    sketch.soft404 = { since: now, reason: `one body stands behind ${percent}% of its pages` };
    return;
  }
  const weight = sketch.bodies.get(sketch.softBody)?.weight ?? 0;
  if (weight > RECOVERED * policy.share * sketch.pages) return;
  sketch.soft404 = undefined;
  sketch.softBody = '';
}

/** Is the page what the host answers to an address that cannot exist? */
export function isNearProbe(
  { probe }: Pick<HostSketch, 'probe'>,
  page: Pick<UrlRecord, 'contentHash' | 'simhash'>,
): boolean {
  if (probe === undefined || probe.hash === 0) return false;
  if (hashIn(page.contentHash, 0) === probe.hash) return true;
  return probe.simhash !== 0n && bitsApart(probe.simhash ^ page.simhash) <= NEAR_BITS;
}

function bitsApart(difference: bigint): number {
  let bits = 0;
  for (let rest = difference; rest !== 0n; rest &= rest - 1n) bits++;
  return bits;
}

/** Does the host give a reason to ask it for a page that cannot exist? */
export function wantsProbe(sketch: HostSketch, now: Instant): boolean {
  if (sketch.isProbing) return false;
  const { probe } = sketch;
  const isKnown = probe !== undefined && Math.abs(now - probe.at) < PROBE_AGAIN_MS;
  if (isKnown || sketch.pages < PROBE_PAGES) return false;
  const weight = heaviest(sketch)?.weight ?? 0;
  return weight >= PROBE_COPIES && weight >= PROBE_SHARE * sketch.pages;
}

function heaviest(sketch: HostSketch): BodyCount | undefined {
  let top: BodyCount | undefined;
  sketch.bodies.forEach((body) => {
    if (top === undefined || body.weight > top.weight) top = body;
  });
  return top;
}
