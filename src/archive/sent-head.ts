/**
 * The head of an answer as the server sent it, over the body as it is archived: under its
 * content-encoding, without the chunks of its transfer-encoding.
 *
 * Byte for byte, but for the fields that would be wrong of that body. They are kept under
 * another name, `X-Orig-Transfer-Encoding`, as browsertrix does, and the true Content-Length is
 * added: a reader that believes the head reads the body. A head that a strict reader could not
 * read (bare line feeds, folded lines, lines that are no field) and one of HTTP/2, which is no
 * text, are written anew from their fields.
 */
import type { Answered } from '../fetch/outcome.ts';
import { fieldValue, headBytes, REASONS, TOKEN } from './http-head.ts';

export type SentAnswer = Omit<Answered, 'body'>;

const STRICT =
  /^HTTP\/1\.[01] [1-5]\d\d [\t\x20-\x7e\x80-\xff]*\r\n(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n$/;

/** `bodyBytes` that stand under it; undefined when none do, and none are meant to. */
export function sentHead(answer: SentAnswer, bodyBytes: number | undefined): Buffer {
  const { headers } = answer;
  const isStrict = answer.head !== undefined && STRICT.test(answer.head);
  const text = isStrict ? (answer.head as string) : rebuilt(answer);
  if (bodyBytes === undefined) return headBytes(text);
  const { 'transfer-encoding': chunks, 'content-length': length = String(bodyBytes) } = headers;
  // npm's warcio looks for the fields of a head that has none in the body.
  const hasFields = text.indexOf('\r\n') < text.length - 4;
  const isTrue = chunks === undefined && length === String(bodyBytes) && hasFields;
  return headBytes(isTrue ? text : corrected(text, bodyBytes));
}

function corrected(text: string, bodyBytes: number): string {
  const renamed = text.replace(/\r\n(?=(?:transfer-encoding|content-length):)/gi, '\r\nX-Orig-');
  return `${renamed.slice(0, -2)}Content-Length: ${bodyBytes}\r\n\r\n`;
}

function rebuilt({ status, headers }: SentAnswer): string {
  const lines = [`HTTP/1.1 ${status} ${REASONS[status] ?? ''}`];
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) continue;
    for (const one of value.split('\n')) lines.push(`${name}: ${fieldValue(one)}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
