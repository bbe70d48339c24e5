/**
 * Web Bot Auth (P8): the fields that prove a request to be ours.
 *
 *   Signature-Agent   where our keys are published
 *   Signature-Input   what is signed, with which key, from when to when
 *   Signature         the proof
 *
 * As draft-meunier-webbotauth-httpsig-protocol-02 has it. What is signed is the authority, so
 * that a host which was asked cannot ask another one in our name, and where to find the key.
 * Each request has a signature of its own: a nonce lets a site notice one that is sent twice,
 * and five minutes are enough for the slowest request and for clocks that differ.
 *
 * Before draft 04 of its predecessor, Signature-Agent was a bare string, and large verifiers
 * still read only that; `form` chooses.
 */
import { type Instant, MINUTE_MS, SECOND_MS } from '../base/instant.ts';
import type { SignKey } from './key.ts';
import { type Component, signMessage } from './message.ts';
import { sfString } from './structured.ts';

export type AgentForm = 'dictionary' | 'string';

export interface SigningRules {
  readonly key: SignKey;
  /** The origin where the key directory is: `https://bot.example.com`. */
  readonly signatureAgent: string;
  readonly form: AgentForm;
  readonly now: () => Instant;
  /** `NONCE_BYTES` of chance, others each time. */
  readonly nonce: () => Uint8Array;
}

/** Called as a request goes out, with the value of its Host or :authority. */
export type SignRequest = (authority: string) => Readonly<Record<string, string>>;

export const SIGNATURE_LIFE_MS = 5 * MINUTE_MS;
/** Verifiers of older drafts want exactly this many. */
export const NONCE_BYTES = 64;
const LABEL = 'sig1';
const TAG = 'web-bot-auth';

export function requestSigner(rules: SigningRules): SignRequest {
  const { key, now, nonce } = rules;
  const { field, component } = agentIn(rules);
  return (authority) => {
    const at = now();
    const components = [{ name: '@authority', value: authority }, component];
    const { signatureInput, signature } = signMessage(key, LABEL, components, [
      ['created', Math.floor(at / SECOND_MS)],
      ['keyid', key.keyid],
      ['alg', 'ed25519'],
      ['expires', Math.floor((at + SIGNATURE_LIFE_MS) / SECOND_MS)],
      ['nonce', Buffer.from(nonce()).toString('base64')],
      ['tag', TAG],
    ]);
    return { 'signature-agent': field, 'signature-input': signatureInput, signature };
  };
}

/** The field as it is sent, and the part of it that is signed. */
function agentIn({ signatureAgent, form }: SigningRules): { field: string; component: Component } {
  const name = 'signature-agent';
  const value = sfString(signatureAgent);
  if (form === 'string') return { field: value, component: { name, value } };
  const parameters = [['key', LABEL]] as const;
  return { field: `${LABEL}=${value}`, component: { name, parameters, value } };
}
