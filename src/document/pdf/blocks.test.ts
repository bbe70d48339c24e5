import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage, type Piece, pdfWithTable } from './pdf.testkit.ts';
import { readPdf } from './read-pdf.ts';

const URL = 'https://a.example/docs/x.pdf';

function markdownOf(body: Uint8Array): string {
  const limits = { linksMax: 1_000, textCharsMax: 1_000_000 };
  return readPdf({ url: URL, body, ...limits, wantsMarkdown: true }).markdown?.trim() ?? '';
}

/** Lines as `size x y text`, from the top. */
function content(lines: readonly (readonly [number, number, number, string, string?])[]): string {
  const shown = lines.map(
    ([size, x, y, text, font = 'F1']) =>
      `BT /${font} ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`,
  );
  return shown.join('\n');
}

const TEXT = 'The quick brown fox jumps over the lazy dog again and again until';

test('pdf as Markdown: larger lines are headings, the largest first; steps and indents part paragraphs', () => {
  const page = content([
    [24, 72, 720, 'A Manual'],
    [16, 72, 705, 'Contents . . . . . . 7'],
    [16, 72, 680, '1. Beginning'],
    [10, 72, 670, TEXT],
    [10, 72, 658, 'it is tired of jump-'],
    [10, 72, 646, 'ing.'],
    [10, 90, 634, `${TEXT} an indent`],
    [10, 72, 600, 'Far below: *not* emphasis, <b> no tag.'],
    [10, 72, 570, '\u2022 one'.replace('\u2022', '- ')],
    [10, 72, 558, '- two'],
  ]);
  assert.equal(
    markdownOf(pdfWithTable(onePage(page))),
    `# A Manual\n\n- Contents … 7\n\n## 1. Beginning\n\n${TEXT} it is tired of jumping.\n\n${TEXT} an indent\n\n` +
      'Far below: \\*not\\* emphasis, \\<b> no tag.\n\n- one\n- two',
  );
});

test('pdf as Markdown: words in the rectangle of a link are the link, absolute', () => {
  const page =
    '/Annots [<< /Subtype /Link /Rect [94 695 121 712] /A << /S /URI /URI (../more_\\(1\\)?a=1) >> >>]';
  const line = 'BT /F1 12 Tf 72 700 Td (See [here] now) Tj ET';
  assert.equal(
    markdownOf(pdfWithTable(onePage(line, { page }))),
    'See [\\[here\\]](https://a.example/more_(1)?a=1) now',
  );
});

test('pdf as Markdown: code keeps its lines and its indents', () => {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Courier-Bold >>';
  const lines = content([
    [10, 72, 700, 'if (a) {'],
    [10, 84, 688, 'b();'],
    [10, 72, 676, '}'],
  ]);
  assert.equal(markdownOf(pdfWithTable(onePage(lines, { font }))), '```\nif (a) {\n  b();\n}\n```');
});

test('pdf as Markdown: running titles and page numbers are left out, the text between goes on', () => {
  const pages = [1, 2, 3, 4].map((n) =>
    content([
      [10, 72, 760, 'The Running Title'],
      [10, 72, 700, `${TEXT} on page ${'abcd'[n - 1]} of it`],
      [10, 300, 40, String(n + 6)],
    ]),
  );
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ');
  const pieces: Piece[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count 4 /Resources << /Font << /F1 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, i): Piece[] => [
      `<< /Type /Page /Parent 2 0 R /Contents ${5 + 2 * i} 0 R >>`,
      { dict: '', stream: Buffer.from(text) },
    ]),
  ];
  const made = markdownOf(pdfWithTable(pieces));
  assert.deepEqual(
    made.split('\n\n'),
    ['a', 'b', 'c', 'd'].map((page) => `${TEXT} on page ${page} of it`),
  );
});
