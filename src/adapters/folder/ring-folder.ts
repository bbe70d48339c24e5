/**
 * What a folder knows of the ring that its node belongs to, beside the crawl itself.
 *
 *   ring.json     that it is a ring's, whom it knew there, and whether it has left
 *   ring.key      the node's Ed25519 key: who it is, and where it stands on the circle
 *   ring.secret   the join secret, where this node began the ring and none was given
 *
 * The key is the node: two folders with one key are two nodes that claim one place.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CrawlError } from '../../base/errors.ts';
import { diskError } from './disk.ts';

const FORMAT = 1;
const MEMBERS_MAX = 32;

export interface RingNote {
  /** 'new': it has never been in its ring. */
  readonly state: 'new' | 'member' | 'left';
  /** Others, nearest first, as they were last seen. */
  readonly members: readonly NotedMember[];
}

export interface NotedMember {
  /** Its public key. */
  readonly id: string;
  readonly at: string;
}

export function ringPathsOf(dir: string) {
  return {
    note: join(dir, 'ring.json'),
    key: join(dir, 'ring.key'),
    secret: join(dir, 'ring.secret'),
  };
}

/** Undefined when the folder is of no ring. */
export async function readRingNote(dir: string): Promise<RingNote | undefined> {
  const path = ringPathsOf(dir).note;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw diskError(error, path);
  });
  if (text === undefined) return undefined;
  const { format, state, members } = parsed(text, path);
  if (format !== FORMAT) {
    const what = `${dir} was made by another version (ring format ${String(format)})`;
    throw new CrawlError('E_FOLDER_FOREIGN', what, 'use that version, or another folder');
  }
  const known = Array.isArray(members) ? members.filter(isMember) : [];
  const said = state === 'left' || state === 'new' ? state : 'member';
  return { state: said, members: known };
}

function isMember(one: unknown): one is NotedMember {
  const { id, at } = Object(one) as Partial<NotedMember>;
  return typeof id === 'string' && typeof at === 'string';
}

function parsed(text: string, path: string): Record<string, unknown> {
  try {
    const note: unknown = JSON.parse(text);
    if (typeof note === 'object' && note !== null) return note as Record<string, unknown>;
  } catch {
    // Told below.
  }
  const hint = 'restore it from a copy, or let this node join anew in another folder';
  throw new CrawlError('E_STORE_DAMAGED', `${path} is not what a node wrote`, hint);
}

export async function writeRingNote(dir: string, { state, members }: RingNote): Promise<void> {
  const path = ringPathsOf(dir).note;
  const note = { format: FORMAT, state, members: members.slice(0, MEMBERS_MAX) };
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(`${path}.new`, `${JSON.stringify(note, undefined, 2)}\n`);
    await rename(`${path}.new`, path);
  } catch (error) {
    throw diskError(error, path);
  }
}
