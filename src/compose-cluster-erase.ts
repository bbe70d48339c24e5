/**
 * Erasing in a cluster, put together (G1, G2): what a node does of it, and how it is asked for. A
 * part of the composition root.
 */
import { systemClock } from './adapters/node/clock.ts';
import { assert } from './base/assert.ts';
import type { ClusterEngines } from './compose-cluster-engines.ts';
import type { Settings } from './config/index.ts';
import { Compliance } from './crawl/comply.ts';
import type { ComplyAnswers } from './crawl/comply-answers.ts';
import { quietDesk, runningDesk } from './crawl/comply-desk.ts';
import { complyAnswersOf } from './crawl/comply-wire.ts';
import type { EraseDesk, ErasePorts } from './crawl/erase.ts';
import { eraseByAll } from './crawl/erase-asked.ts';
import { ClusterErasing } from './crawl/erase-cluster.ts';
import type { CrawlNode } from './crawl/index.ts';
import { retainTogether, retentionFrom } from './crawl/retain-daily.ts';
import { erasureEvent } from './events/index.ts';
import type { EventLog } from './ports/event-log.ts';
import { formatUrlHash, hostOf, urlHash, wholeOf } from './url/index.ts';

type OpenEngines = Pick<ClusterEngines, 'records' | 'blobs'> & { readonly events: EventLog };

/** Denials, holds and what is begun, of the whole crawl. */
export function clusterCompliance(engines: OpenEngines, settings: Settings): Promise<Compliance> {
  const { store, comply } = engines.records;
  const ports = { ...erasePorts(engines), comply, clock: systemClock() };
  return Compliance.open({ ...ports, isShared: true, canonical: settings.scope }, quietDesk(store));
}

/** The engines remove what rows held before by themselves (docs/compliance.md). */
function erasePorts({ records, blobs, events }: OpenEngines): ErasePorts {
  const { store, near } = records;
  const purge = async () => undefined;
  return { store, records: store, blobs, events, near, isShared: true, purge };
}

export function clusterComplyAnswers(
  compliance: Compliance,
  { records }: Pick<ClusterEngines, 'records'>,
): ComplyAnswers {
  const answers = complyAnswersOf(compliance);
  const ports = { compliance, ledger: records.ledger, clock: systemClock() };
  return {
    ...answers,
    takeDown: (query) => (query.erase ? eraseByAll(ports, query) : answers.takeDown(query)),
  };
}

export interface ErasingParts {
  readonly node: CrawlNode;
  readonly compliance: Compliance;
  readonly engines: ClusterEngines;
  readonly settings: Settings;
  readonly onTrouble: (error: unknown) => void;
}

export type Erasing = Pick<ClusterErasing, 'wake' | 'stop'>;

/** This node's part of what is erased, and of what is kept too long. */
export function startErasing(parts: ErasingParts): Erasing {
  const erasing = erasingOf(parts);
  const policy = retentionFrom(parts.settings);
  const retaining = retainTogether(parts.compliance, policy, systemClock());
  const stop = async () => {
    await retaining.stop();
    await erasing.stop();
  };
  return { wake: () => erasing.wake(), stop };
}

function erasingOf(parts: ErasingParts): ClusterErasing {
  const { node, compliance, engines, settings, onTrouble } = parts;
  const { arcs, settling } = node;
  assert(arcs !== undefined, 'a node of a cluster has arcs');
  settling.isErasing = () => compliance.deeds.length > 0;
  const { events, records } = engines;
  const desk = runningDesk(settling, node.comeback);
  compliance.runsWith(desk);
  return new ClusterErasing({
    ...{ compliance, ledger: records.ledger, arcs, clock: systemClock(), onTrouble },
    desk: telling(desk, events),
    policy: retentionFrom(settings),
    portsFor: (ours) => {
      const wholes = new Set(ours.map(wholeOf));
      return erasePorts({
        ...engines,
        events: { ...late(events), read: () => events.readOf(wholes) },
      });
    },
  });
}

/** What a topic cannot forget, its readers are told to. */
function telling(desk: EraseDesk, events: EventLog): EraseDesk {
  return {
    ...desk,
    commit: async (erased) => {
      const at = systemClock().now();
      const told = erased.map(({ record: { url } }) => {
        return erasureEvent({ url, host: hostOf(url), urlHash: formatUrlHash(urlHash(url)), at });
      });
      await events.publish(told);
      await desk.commit(erased);
    },
  };
}

function late(events: EventLog): EventLog {
  return {
    publish: (told) => events.publish(told),
    read: (after) => events.read(after),
    close: () => events.close(),
  };
}
