/** Reads WARC bytes back with npm's warcio: not a line of ours in between. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { WARCParser } from 'warcio';

export interface ReadRecord {
  readonly type: string;
  readonly url: string;
  readonly header: (name: string) => string;
  readonly status: number;
  readonly httpHeaders: ReadonlyMap<string, string>;
  /** Without the HTTP head, where there is one. */
  readonly payload: Buffer;
}

export async function readWarc(bytes: Uint8Array): Promise<ReadRecord[]> {
  const records: ReadRecord[] = [];
  const parser = WARCParser.iterRecords(each(bytes), { keepHeadersCase: false });
  for await (const record of parser) {
    const { httpHeaders, warcType, warcTargetURI } = record;
    const payload = Buffer.from((await record.readFully(false)) ?? []);
    records.push({
      type: warcType ?? '',
      url: warcTargetURI ?? '',
      header: (name) => record.warcHeader(name) ?? '',
      status: httpHeaders === null ? 0 : Number(httpHeaders.statusCode),
      httpHeaders: new Map(httpHeaders?.headers.entries() ?? []),
      payload,
    });
  }
  return records;
}

async function* each(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** The record of one gzip member, taken apart by hand: its fields, and its block as it is. */
export function blockOf(member: Uint8Array): { head: string; block: Buffer } {
  const bytes = gunzipSync(member);
  const at = bytes.indexOf('\r\n\r\n') + 4;
  return { head: bytes.subarray(0, at).toString(), block: bytes.subarray(at, bytes.length - 4) };
}

export function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
