/** A link to tables that are there and of our version: what every port of this folder begins with. */
import { randomUUID } from 'node:crypto';
import { type CassandraOptions, Link } from './link.ts';
import { migrate, STEPS } from './schema.ts';

export async function openLink(options: CassandraOptions, steps = STEPS): Promise<Link> {
  const link = await Link.open(options);
  const { clock, copies } = options;
  const sleep = (ms: number) => clock.sleepUntil(clock.now() + ms);
  try {
    await migrate(link, { me: randomUUID(), copies, sleep }, steps);
    await link.learnPlaces();
    return link;
  } catch (error) {
    await link.close();
    throw error;
  }
}
