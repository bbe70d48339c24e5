/**
 * What an engine is to the tests: a real server that can be had without root, started on free
 * loopback ports with all its files in one folder, and ended by the ids that we started.
 *
 *   obtain()  its programs: installed already, or fetched once into the shelf (obtain.ts)
 *   plan()    its data folders made, its ports chosen: the commands that are to run
 *   answers() asked again and again until it does not reject any more
 *   finish()  once, when all answer: form the cluster, make the bucket
 *
 * An engine never starts a server itself: it names the commands, and start.ts runs them, writes
 * down whom it started, and can kill and restart each of them.
 */
export interface Engine {
  /** As in `npm run engines -- up NAME`. */
  readonly name: string;
  /** The environment variable in which tests find its address. */
  readonly variable: string;
  /** The folder that its programs are in. Throws `NotHad` with the reason if there are none. */
  obtain(shelf: Shelf): Promise<string>;
  /** Called once for a start from nothing; `site.dir` is there and empty. */
  plan(site: Site): Promise<Plan>;
  /** Resolves if it answers at the address; rejects, within a second, while it does not. */
  answers(address: string): Promise<unknown>;
}

/** Where fetched programs are kept from run to run, one folder for each name. */
export interface Shelf {
  /** `fill` is given an empty folder; once it is done, the folder stays and is not filled again. */
  keep(name: string, fill: (dir: string) => Promise<void>): Promise<string>;
}

export interface Site {
  /** What obtain() answered. */
  readonly programs: string;
  /** For data, configuration and logs of this one start. */
  readonly dir: string;
  /** A loopback port that nobody listens on, another one at each call. */
  port(): Promise<number>;
}

export interface Plan {
  /** What the tests are told: a URL, or host:port pairs with commas between them. */
  readonly address: string;
  readonly commands: readonly Command[];
  readonly finish?: () => Promise<void>;
}

/** A server to be run: one process, whose output goes to `SITE/NAME.log`. */
export interface Command {
  /** Of this process among those of its engine, e.g. `node-1`. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whom it runs as; ourselves unless told. */
  readonly user?: User;
  /** What asks it to end in good order: SIGTERM unless told. */
  readonly stopSignal?: NodeJS.Signals;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** An engine that this machine cannot have: the message says why, and what would help. */
export class NotHad extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'NotHad';
  }
}
