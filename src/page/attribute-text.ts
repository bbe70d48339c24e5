/**
 * Attribute values as strings, made when someone wants one: most hrefs are known as bytes
 * (known-hrefs.ts) and never become any.
 */
import { IS_HIGH, NEEDS_DECODING } from './byte-classes.ts';
import { CLASS } from './bytes.ts';
import { decodeAttribute } from './references.ts';

export function attributeText(bytes: Buffer, from: number, to: number): string {
  let found = 0;
  for (let at = from; at < to; at++) found |= CLASS[bytes[at] as number] as number;
  const text = bytes.toString(found & IS_HIGH ? 'utf8' : 'latin1', from, to);
  if ((found & NEEDS_DECODING) === 0) return text;
  return decodeAttribute(text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'));
}
