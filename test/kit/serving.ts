/** An `orb` that serves, as a process: where its API is, and what it answers there. */
import assert from 'node:assert/strict';
import type { OrbRun } from './orb.ts';

export interface ServingNode extends OrbRun {
  /** Where its API is, without a slash at the end. */
  readonly at: string;
  /** A body is posted; null posts without one. */
  // biome-ignore lint/suspicious/noExplicitAny: the API's own tests say what it is.
  ask(path: string, body?: unknown): Promise<any>;
}

const LISTENING = /"event":"listening".*"url":"([^"]+)\/"/;

/** Resolves when it answers. */
export async function servingNode(run: OrbRun): Promise<ServingNode> {
  await run.said(LISTENING);
  const at = LISTENING.exec(run.stderr)?.[1];
  assert.ok(at, `it did not begin to listen: ${run.stderr}`);
  const ask = async (path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const json = body ? { headers, body: JSON.stringify(body) } : {};
    const post = body === undefined ? {} : { method: 'POST', ...json };
    const response = await fetch(`${at}${path}`, post);
    const text = await response.text();
    assert.ok(response.ok, `${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  return Object.defineProperties({ at, ask } as ServingNode, {
    ...Object.getOwnPropertyDescriptors(run),
  });
}

export async function metricOf(node: ServingNode, name: string): Promise<number> {
  const text = await (await fetch(`${node.at}/metrics`)).text();
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text);
  assert.ok(found, `${name} is not in /metrics`);
  return Number(found[1]);
}

export function tail(text = ''): string {
  return text.slice(-3_000);
}
