/**
 * The few forms of Structured Field Values (RFC 9651) that signatures are written in.
 *
 *   string       "web-bot-auth"                     visible ASCII, quotes and \ escaped
 *   bytes        :wqcAqbmYJ2ji…==:                  base64 between colons
 *   parameters   ;created=1735689600;req            after a member, in the order given
 *
 * Only written, never read. A text that has no such form is our own mistake, because settings
 * are checked before they come here.
 */
import { assert } from '../base/assert.ts';

/** A flag is written by its name alone. */
export type ParameterValue = string | number | true;
export type Parameters = readonly (readonly [name: string, value: ParameterValue])[];

export function sfString(text: string): string {
  assert(/^[\x20-\x7e]*$/.test(text), 'a structured string is visible ASCII');
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

export function sfBytes(bytes: Uint8Array): string {
  return `:${Buffer.from(bytes).toString('base64')}:`;
}

export function sfParameters(parameters: Parameters): string {
  let text = '';
  for (const [name, value] of parameters) {
    text += `;${name}`;
    if (value !== true)
      text += `=${typeof value === 'number' ? sfInteger(value) : sfString(value)}`;
  }
  return text;
}

function sfInteger(value: number): string {
  assert(Number.isSafeInteger(value), 'a structured integer is whole');
  return String(value);
}
