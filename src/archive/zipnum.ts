/**
 * A sorted CDXJ index in gzip blocks, with a small index of its own: a reader fetches the small
 * one whole and of the large one only the blocks that it needs.
 *
 *   index.cdx.gz   3,000 lines a member          index.idx   first key of each, and where it is
 */
import { gzipSync } from 'node:zlib';
import { sha256Of } from './warc-record.ts';

const LINES_PER_BLOCK = 3_000;
const HEAD = '!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}\n';

/** Takes lines in order, gives blocks. */
export class ZipNum {
  #lines: string[] = [];
  #offset = 0;
  #summary = HEAD;

  /** A block, when this line fills it. */
  add(line: string): Buffer | undefined {
    this.#lines.push(line);
    return this.#lines.length >= LINES_PER_BLOCK ? this.#block() : undefined;
  }

  /** The last block, and the text of `index.idx`. */
  end(): { readonly block: Buffer | undefined; readonly summary: string } {
    const block = this.#lines.length === 0 ? undefined : this.#block();
    return { block, summary: this.#summary };
  }

  #block(): Buffer {
    const block = gzipSync(`${this.#lines.join('\n')}\n`);
    const [first = ''] = this.#lines;
    const key = first.slice(0, first.indexOf(' {'));
    const place = { offset: this.#offset, length: block.length, digest: sha256Of(block) };
    this.#summary += `${key} ${JSON.stringify({ ...place, filename: 'index.cdx.gz' })}\n`;
    this.#offset += block.length;
    this.#lines = [];
    return block;
  }
}
