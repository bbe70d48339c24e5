/**
 * Bodies that are not ordinary pages: a PDF, bytes that claim to be HTML, an application that
 * is empty without scripts, and the page that says 'not found' with status 200.
 */
import { Dice, mix } from './hash.ts';
import { sentences } from './words.ts';

/** A whole, valid PDF of one page with one line of text and one link. */
export function pdfOf(text: string, url: string): Uint8Array {
  const stream = `BT /F1 18 Tf 72 720 Td (${text.replace(/[()\\]/g, '')}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [6 0 R]' +
      ' /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Type /Annot /Subtype /Link /Rect [72 700 300 740] /A << /S /URI /URI (${url}) >> >>`,
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = pdf.length;
    pdf += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}`;
  return Buffer.from(`${pdf}${table}${end}\n%%EOF\n`, 'latin1');
}

export function binaryBytes(seed: number, length: number): Uint8Array {
  const dice = new Dice(seed);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = dice.next();
  return bytes;
}

export function plainText(seed: number): string {
  const dice = new Dice(seed);
  return Array.from({ length: 40 }, () => `${sentences[dice.below(2048)]}\n`).join('');
}

/** Little text, no links, a big script, `id="root"`: J1's signs. */
export function scriptOnly(seed: number): string {
  const dice = new Dice(seed);
  const rows = Array.from({ length: 400 }, (_, n) => `m[${n}]=function(){return ${dice.next()}};`);
  return (
    '<!doctype html>\n<html><head><meta charset="utf-8"><title>App</title></head>\n' +
    '<body><noscript>You need to enable JavaScript to run this app.</noscript>\n' +
    `<div id="root"></div>\n<script>var m=[];${rows.join('')}\n` +
    "document.getElementById('root').textContent='ready';</script>\n</body></html>\n"
  );
}

/** Short, and the same for every URL of the host. */
export function softMissing(hostSeed: number): string {
  const number = mix(hostSeed, 404) % 9000;
  return (
    '<!doctype html>\n<html><head><title>Page not found</title></head><body>\n' +
    `<h1>Sorry, page not found</h1><p>The page you asked for does not exist. Code ${number}.</p>\n` +
    '<p><a href="/">Back to the front page</a></p></body></html>\n'
  );
}
