/**
 * PDF, read by ourselves (X2):
 *
 *   bytes ─ file.ts ─▶ objects ─ pages.ts ─▶ page ─ page-text.ts ─▶ content.ts ─▶ layout.ts ─▶ words
 *            │ xref, repair, indirect,         │                     │ text-state, matrix,
 *            │ lexer, parse, objects           └─ annotations.ts     │ inline-image
 *            │ filters, filters-plain, predictor   └▶ links          └ font, font-widths, cmap, cjk,
 *            └ crypt, crypt-key, rc4                                   encodings, glyph-names
 *   as Markdown: lines.ts ─▶ paper.ts ─▶ blocks.ts
 *   facts.ts: title and the like                 read-pdf.ts: all of it
 */
import { definePlugin } from '../plugin.ts';
import { readPdf } from './read-pdf.ts';

/** The mark may stand behind some bytes of rubbish. */
const MARK_BYTES = 1_024;

export const pdf = definePlugin({
  name: 'pdf',
  types: ['application/pdf', 'application/x-pdf'],
  sniff: (start) => Buffer.from(start.subarray(0, MARK_BYTES)).includes('%PDF-'),
  read: readPdf,
});
