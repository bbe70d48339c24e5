/**
 * What the browser's processes take, from /proc; where the system has none, nothing is known and
 * only the limit on the heap of scripts holds (flags.ts).
 */
import { readFile } from 'node:fs/promises';

const PAGE_BYTES = 4_096;

export async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) * PAGE_BYTES;
}
