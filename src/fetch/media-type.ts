/**
 * The media type that a Content-Type header means: `text/html`, without parameters.
 *
 * Servers send several values in one field or in many; the Fetch standard takes the last one
 * that is a media type, and never the wildcard. Commas inside quotes do not separate.
 *
 * Not here: the charset parameter (`../page/`).
 */
import { fieldValues } from '../base/field-values.ts';

/** Lower-case `type/subtype`, or '' when the header names none. */
export function mediaTypeOf(contentType: string | undefined): string {
  if (contentType === undefined) return '';
  if (contentType.indexOf(',') === -1) return essence(contentType);
  let found = '';
  for (const value of fieldValues(contentType)) {
    const one = essence(value);
    if (one !== '' && one !== '*/*') found = one;
  }
  return found;
}

const TYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/;

/** The few types that make up most of the web, known without a regular expression. */
const COMMON = new Set(['text/html', 'text/plain', 'application/json', 'image/jpeg', 'image/png']);

function essence(value: string): string {
  const end = value.indexOf(';');
  const type = (end === -1 ? value : value.slice(0, end)).trim();
  if (COMMON.has(type)) return type;
  return TYPE.test(type) ? type.toLowerCase() : '';
}
