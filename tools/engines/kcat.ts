/**
 * kcat: a reader of Kafka's topics that shares no code with ours, by which the event contract is
 * judged (E1). Debian's, installed or unpacked.
 */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Shelf } from './engine.ts';
import { debian, onPath, run } from './obtain.ts';

const PACKAGES = [
  ...['kcat', 'librdkafka1', 'libyajl2', 'liblz4-1', 'libsasl2-2', 'libssl3', 'libzstd1'],
];
const READ_MS = 60_000;

export interface ReadMessage {
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  /** The message as text. */
  readonly payload: string | null;
}

export async function obtainKcat(shelf: Shelf): Promise<string> {
  return onPath('kcat') ?? join(await debian(shelf, 'kcat', PACKAGES), 'usr', 'bin', 'kcat');
}

/** All messages that a topic has now: each partition in its order. */
export async function readTopic(
  program: string,
  address: string,
  topic: string,
): Promise<ReadMessage[]> {
  const args = ['-C', '-b', address, '-t', topic, '-o', 'beginning', '-e', '-q', '-J'];
  const said = await run(program, args, { env: libraries(program), timeout: READ_MS });
  const lines = said.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as ReadMessage);
}

/** An unpacked one brings its libraries along. */
function libraries(program: string): Record<string, string> {
  const places = globSync(join(dirname(program), '..', '..', '{usr/,}lib', '*-linux-gnu'));
  return program.includes('debian-kcat') ? { LD_LIBRARY_PATH: places.join(':') } : {};
}
