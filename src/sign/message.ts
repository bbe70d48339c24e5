/**
 * HTTP Message Signatures (RFC 9421): the text that is signed, and the two fields that say so.
 *
 *   "@authority": example.com                             one line for each covered component
 *   "signature-agent";key="sig1": "https://bot.example"
 *   "@signature-params": ("@authority" …);created=…       and, last, what was covered and how
 *
 * The signature is over exactly these bytes, without a line end at the end. Whoever verifies
 * builds them again from the message that arrived, so one byte that differs is a forgery.
 */
import { assert } from '../base/assert.ts';
import type { SignKey } from './key.ts';
import { type Parameters, sfBytes, sfParameters, sfString } from './structured.ts';

export interface Component {
  /** A field in lower case, or a derived component such as `@authority`. */
  readonly name: string;
  readonly parameters?: Parameters;
  readonly value: string;
}

export interface SignatureBase {
  /** What stands behind the label in Signature-Input. */
  readonly input: string;
  readonly text: string;
}

export function signatureBase(
  components: readonly Component[],
  parameters: Parameters,
): SignatureBase {
  const names: string[] = [];
  let text = '';
  for (const { name, parameters: own = [], value } of components) {
    assert(!/[\r\n]/.test(value), 'a covered component is one line');
    const identifier = sfString(name) + sfParameters(own);
    names.push(identifier);
    text += `${identifier}: ${value}\n`;
  }
  const input = `(${names.join(' ')})${sfParameters(parameters)}`;
  return { input, text: `${text}"@signature-params": ${input}` };
}

export interface Signed {
  readonly signatureInput: string;
  readonly signature: string;
}

/** The values of Signature-Input and Signature under one label. */
export function signMessage(
  key: SignKey,
  label: string,
  components: readonly Component[],
  parameters: Parameters,
): Signed {
  const { input, text } = signatureBase(components, parameters);
  const bytes = key.sign(Buffer.from(text, 'latin1'));
  return { signatureInput: `${label}=${input}`, signature: `${label}=${sfBytes(bytes)}` };
}
