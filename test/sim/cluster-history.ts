/** What happens to a cluster in virtual time: faults one after the other, all from one seed. */
import type { Cluster } from './cluster.ts';

type Fault = 'join' | 'leave' | 'crash' | 'stop' | 'outage' | 'forget';

export const FAULTS: readonly Fault[] = ['join', 'leave', 'crash', 'stop', 'outage'];
/** … and the table of addresses loses its memory. */
export const TABLE_FAULTS: readonly Fault[] = [...FAULTS, 'forget'];

/** A process that finds no engine does not start. */
export async function joinSoon(cluster: Cluster): Promise<void> {
  while (cluster.isDown) await cluster.pass(1_000);
  await cluster.join();
}

/** Answers what happened, when all of it is over. */
export async function history(cluster: Cluster, times: number, faults = FAULTS): Promise<Fault[]> {
  const told: Fault[] = [];
  const going: Promise<void>[] = [];
  for (let n = 0; n < times; n++) {
    await cluster.pass(1_000 + 7_000 * cluster.chance());
    const { alive } = cluster;
    const one = alive[Math.floor(cluster.chance() * alive.length)];
    const kind = faults[Math.floor(cluster.chance() * faults.length)] as Fault;
    const isFew = one === undefined || alive.length < 2;
    if (isFew || kind === 'join') await joinSoon(cluster);
    else if (kind === 'leave') going.push(cluster.leave(one));
    else if (kind === 'crash') cluster.crash(one);
    else if (kind === 'stop') going.push(cluster.stop(one, 60_000));
    else if (kind === 'outage') going.push(cluster.outage(2_000 + 20_000 * cluster.chance()));
    else cluster.forget();
    told.push(isFew ? 'join' : kind);
  }
  await Promise.all(going);
  return told;
}
