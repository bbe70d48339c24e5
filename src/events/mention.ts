/**
 * A URL that somebody named, on its way to the owner of its host (E1, K1).
 *
 * The message of the `urls` topic, version 1: mentions of one host, keyed by it. Readers ignore
 * fields that they do not know; a change of meaning raises `v`. A message that is not ours, or
 * of a version to come, is no message: decodeMentions() answers undefined.
 */
import { KINDS, type UrlKind } from '../record/index.ts';

/** It is canonical: `page/` and `canonicalize` see to that. */
export interface Mention {
  readonly url: string;
  readonly kind: UrlKind;
  readonly priority: number;
  readonly depth: number;
  readonly hops: number;
  /** How far outside the scope the page that named it is. */
  readonly outside: number;
  /** The url key of that page; empty for a seed. */
  readonly parent: Uint8Array;
  /** What the link said for it, to be weighed again when its host is rated anew (F8). */
  readonly claim?: number;
  /** The job of whoever named it; left out for the crawl itself. */
  readonly job?: number;
}

const VERSION = 1;

export function encodeMentions(mentions: readonly Mention[]): Buffer {
  const urls = mentions.map(({ parent, ...rest }) => {
    return parent.length === 0 ? rest : { ...rest, parent: hexOf(parent) };
  });
  return Buffer.from(JSON.stringify({ v: VERSION, urls }));
}

export function decodeMentions(message: Uint8Array): Mention[] | undefined {
  const given = parsed(message);
  if (!isObject(given) || given.v !== VERSION || !Array.isArray(given.urls)) return undefined;
  const mentions = given.urls.map(mentionOf);
  return mentions.every((mention) => mention !== undefined) ? mentions : undefined;
}

function mentionOf(given: unknown): Mention | undefined {
  if (!isObject(given)) return undefined;
  const { url, kind, priority, depth, hops, outside, parent = '', claim, job } = given;
  if (typeof url !== 'string' || typeof parent !== 'string' || !isKind(kind)) return undefined;
  if (!isAmount(priority) || !isAmount(depth) || !isAmount(hops) || !isAmount(outside)) {
    return undefined;
  }
  return {
    ...{ url, kind, priority, depth, hops, outside, parent: Buffer.from(parent, 'hex') },
    ...(isAmount(claim) && { claim }),
    ...(isAmount(job) && { job }),
  };
}

function parsed(message: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(message).toString());
  } catch {
    return undefined;
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null;
}

function isKind(given: unknown): given is UrlKind {
  return (KINDS as readonly unknown[]).includes(given);
}

function isAmount(given: unknown): given is number {
  return typeof given === 'number' && Number.isFinite(given) && given >= 0;
}
