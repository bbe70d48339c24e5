/**
 * A request as the text that goes out: `GET path HTTP/1.1`, Host, and the fields of the visit.
 *
 * The crawl gives the same object of fields with nearly every page, so the text of the last one
 * is kept. A field that could break out of its line is an error, and nothing is sent.
 */
export type RequestFields = Readonly<Record<string, string>>;

const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

let lastFields: RequestFields | undefined;
let lastText = '';

/** `proof` is of this request alone, so it is written anew each time (../../sign/request.ts). */
export function requestText(
  path: string,
  host: string,
  fields: RequestFields,
  proof?: RequestFields,
): string {
  const start = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  return start + (proof === undefined ? '' : linesOf(proof)) + fieldsText(fields);
}

/** All fields and the empty line; throws when one cannot be sent. */
export function fieldsText(fields: RequestFields): string {
  if (fields === lastFields) return lastText;
  const text = linesOf(fields);
  lastFields = fields;
  lastText = `${text}\r\n`;
  return lastText;
}

function linesOf(fields: RequestFields): string {
  let text = '';
  for (const [name, value] of Object.entries(fields)) {
    if (!NAME.test(name) || !VALUE.test(value)) throw new Error(`not a header field: ${name}`);
    text += `${name}: ${value}\r\n`;
  }
  return text;
}
