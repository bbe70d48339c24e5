/**
 * The tables of addresses that a node of a ring keeps for all: one for each arc that it owns, of the
 * addresses whose hash is there (P4). In memory: a table is an epoch's of its arc, and with the
 * epoch it is gone.
 *
 *   a new epoch ─▶ blank for forgetMs: nobody has a turn, held ones are told again ─▶ gives turns
 *   epoch 1      ─▶ gives turns at once: the ring has just begun, nothing was ever asked
 *
 * Whoever had a turn of the epoch before asked for it before that epoch's term was over, and sends
 * within what a claim may take to become a request; a pause after that, everything that nobody
 * knows of any more is as good as rested.
 */
import type { Instant } from '../base/instant.ts';
import { AddressTable } from '../frontier/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { RingArcs } from '../ports/ring-arcs.ts';
import { NotOurs } from '../ports/tenures.ts';
import { arcOf, hostKey } from '../url/index.ts';
import { addressQuestionIn, waitAnswer } from './ring-address-wire.ts';

export interface AddressTableParts {
  readonly arcs: RingArcs;
  readonly clock: Clock;
  /** How long a claim may take to become a request, and a pause. */
  readonly forgetMs: number;
}

interface Table {
  readonly epoch: number;
  readonly blankUntil: Instant;
  readonly table: AddressTable;
}

const FIRST_EPOCH = 1;
/** Of one arc; there are 64. */
const ENTRIES_MAX = 50_000;

/** The arc whose owner keeps the turns of an address. */
export function arcOfAddress(address: string): number {
  return arcOf(hostKey(address));
}

export class AddressTables {
  readonly #parts: AddressTableParts;
  readonly #tables = new Map<number, Table>();
  readonly #deafen: () => void;

  constructor(parts: AddressTableParts) {
    this.#parts = parts;
    // As soon as an arc is here, so that its table is not blank for long when it is first asked.
    this.#deafen = parts.arcs.onArcs((arcs) => {
      for (const arc of arcs) this.#tableOf(arc);
      for (const { table } of this.#tables.values()) table.sweep(parts.clock.now());
    });
  }

  /** Throws NotOurs where this node may not speak for the arc, or the address is not there. */
  answer(question: Uint8Array, arc: number | undefined): Uint8Array {
    const asked = addressQuestionIn(question);
    if (arc === undefined || asked === undefined || arcOfAddress(asked.address) !== arc) {
      return NONSENSE;
    }
    const { table, blankUntil } = this.#tableOf(arc) ?? notOurs(arc);
    const { kind, address, ms, pauseMs } = asked;
    const now = this.#parts.clock.now();
    if (kind === 'claim') {
      const isBlank = now < blankUntil;
      const terms = { holdMs: ms, pauseMs };
      return waitAnswer(isBlank ? blankUntil - now : table.claim(address, asked, terms, now));
    }
    if (kind === 'hold') table.hold(address, asked, ms, now);
    else table.rest(address, kind === 'rest' ? asked : { ...asked, node: '' }, ms, now);
    return waitAnswer(0);
  }

  close(): void {
    this.#deafen();
  }

  #tableOf(arc: number): Table | undefined {
    const { arcs, clock, forgetMs } = this.#parts;
    const epoch = arcs.epochOf(arc);
    const known = this.#tables.get(arc);
    if (epoch === undefined) return undefined;
    if (known?.epoch === epoch) return known;
    const blankUntil = epoch === FIRST_EPOCH ? 0 : clock.now() + forgetMs;
    const made = { epoch, blankUntil, table: new AddressTable(ENTRIES_MAX) };
    this.#tables.set(arc, made);
    return made;
  }
}

const NONSENSE = new Uint8Array(0);

function notOurs(arc: number): never {
  throw new NotOurs([arc]);
}
