/**
 * Everything outside the command line, as one object: `main.ts` makes the real one, tests make
 * theirs. The commands touch nothing else.
 *
 *   what was asked    argv, env, cwd            streams      stdin, stdout, stderr
 *   what goes on      clock, onSignal           files        readText, readLines, openFile, newFiles, archiveOf
 *   crawls            openCrawl, readFolder, findCrawls      around  machine, openDemoWeb
 *   the service       listen, newSecret
 */
import type { Environment, SettingOptions, Settings } from '../../config/index.ts';
import type { Answers } from '../../crawl/answers.ts';
import type { FetcherHooks, FetcherSession } from '../../crawl/fetcher.ts';
import type { HandHooks, HandSession } from '../../crawl/hand.ts';
import type { MeasuredSession } from '../../crawl/metrics.ts';
import type { RingDesk, RingRequest, RingSession } from '../../crawl/ring-desk.ts';
import type { CrawlRequest } from '../../crawl/session.ts';
import type { Outcome } from '../../fetch/index.ts';
import type { ArchiveFiles } from '../../ports/archive.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EngineCheck } from '../../ports/engine-check.ts';
import type { KeyFiles } from '../../ports/key-files.ts';
import type { MachineFacts, MachineQuestion } from '../../ports/machine.ts';
import type { NewFiles } from '../../ports/new-files.ts';
import type { ParserPool } from '../../ports/parser-pool.ts';
import type { RemoteCrawl } from '../../ports/remote-crawl.ts';
import type { FoundBrowser } from '../../ports/renderer.ts';
import type { SecretFiles } from '../../ports/secret-files.ts';
import type { WebListener, WebPlace, WebSite } from '../../ports/web-server.ts';
import type { SignKey } from '../../sign/index.ts';
import type { TerminalStream } from './terminal.ts';

export type StopSignal = 'SIGINT' | 'SIGTERM';

export interface World {
  /** After the program's own name. */
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  readonly version: string;
  /** What this machine calls itself. */
  readonly hostname: string;
  readonly clock: Clock;
  readonly stdin: Input;
  readonly stdout: Output;
  /** For people: small and seldom, so it is written without waiting. */
  readonly stderr: TerminalStream;
  /** Hears every signal until the answered function is called; the process then stays alive. */
  onSignal(handler: (signal: StopSignal) => void): () => void;
  openCrawl(request: CrawlRequest): Promise<MeasuredSession>;
  /** Takes part in a cluster, as one node of many (K1). */
  joinCluster(request: CrawlRequest): Promise<MeasuredSession>;
  /** Makes requests for other nodes, and nothing else (A2). */
  openFetcher(settings: Settings, hooks: FetcherHooks): Promise<FetcherSession>;
  /** Reads or renders pages for other nodes, and nothing else (K3). */
  openHand(role: 'parse' | 'render', settings: Settings, hooks: HandHooks): Promise<HandSession>;
  /** The whole crawl of a cluster, from its engines; E_FOLDER_MISSING if there is none. */
  readCluster(settings: Settings): Promise<OpenFolder>;
  /** A node of a ring, with the folder's own key (D1). */
  openRing(request: RingRequest): Promise<RingSession>;
  /** The node of a ring that runs in a folder; undefined when none does. */
  askRing(dir: string): Promise<RingDesk | undefined>;
  /** The key of a folder's node; made where there is none yet. */
  ringKeyOf(dir: string): Promise<SignKey>;
  /** A crawl that runs elsewhere, behind the API of a node. */
  openRemoteCrawl(url: string, token: string | undefined): RemoteCrawl;
  /** Opens the folder's store, or speaks to the crawl that runs in it; E_FOLDER_MISSING if none. */
  readFolder(dir: string): Promise<OpenFolder>;
  /** Does this folder hold a crawl? Opens nothing, changes nothing. */
  isCrawl(dir: string): Promise<boolean>;
  /** The crawl folders directly inside a folder; none when there is no such folder. */
  findCrawls(parent: string): Promise<readonly string[]>;
  /** Undefined when there is no such file; paths are relative to `cwd`. */
  readText(path: string): Promise<string | undefined>;
  /** A file's lines one by one; rejects with a CrawlError when it cannot be read. */
  readLines(path: string): AsyncIterable<string>;
  /** Creates or replaces a file; folders on the way are made. */
  openFile(path: string): Promise<OutputFile>;
  /** Files that appear when they are whole; paths are relative to `cwd`. */
  readonly newFiles: NewFiles;
  /** What a crawl archived into its folder as it went; no files where it did not. */
  archiveOf(dir: string): ArchiveFiles;
  /** Keys to sign requests with; paths are relative to `cwd`. */
  readonly keyFiles: KeyFiles;
  /** Files that only their owner may read; paths are relative to `cwd`. */
  readonly secretFiles: SecretFiles;
  /** One GET for a type of document, by the rules of a crawl; no redirect is followed. */
  ask(url: string, accept: string, settings: Settings): Promise<Outcome>;
  machine(question: MachineQuestion): Promise<MachineFacts>;
  /** Asks each engine of the cluster whether it will do; changes nothing. */
  checkEngines(settings: Settings): Promise<readonly EngineCheck[]>;
  /** Of a folder that is a ring's node's: could it run, is all well with its ring? Else no lines. */
  checkRing(dir: string, settings: Settings): Promise<readonly EngineCheck[]>;
  /** The browser that a crawl with these settings would use; starts none. */
  findBrowser(settings: Settings): Promise<FoundBrowser>;
  /** Rejects with E_PLUGIN when one cannot be loaded. */
  checkPlugins(settings: Settings): Promise<unknown>;
  /** Reads stored bodies under a crawl's limits; holds nothing up when the program ends. */
  openReader(settings: Settings): Pick<ParserPool, 'digest'>;
  openDemoWeb(): Promise<DemoWeb>;
  listen(site: WebSite, place: WebPlace): Promise<WebListener>;
  /** 32 random bytes as text: nobody guesses it. */
  newSecret(): string;
}

export interface Input {
  readonly isTTY: boolean;
  lines(): AsyncIterable<string>;
}

export interface Output {
  readonly isTTY: boolean;
  readonly columns?: number;
  /** Resolves when there is room for more. Rejects with code `EPIPE` when nobody reads. */
  write(text: string): Promise<void>;
}

export interface OutputFile extends Output {
  close(): Promise<void>;
}

export interface OpenFolder {
  readonly answers: Answers;
  close(): Promise<void>;
}

/** A web on loopback that knows what a crawl of it must find. */
export interface DemoWeb {
  readonly seeds: readonly string[];
  /** What a crawl needs to reach it and to end soon: its name server, private addresses, rate. */
  readonly options: SettingOptions;
  /** The web's own request log beside its truth. */
  judge(): Promise<DemoJudgement>;
  close(): Promise<void>;
}

export interface DemoJudgement {
  /** URLs that a complete crawl asks for, robots.txt and sitemaps aside; and those it did. */
  readonly expected: number;
  readonly fetched: number;
  readonly missing: readonly string[];
  /** Asked for although nothing leads there. */
  readonly stray: readonly string[];
  /** Asked for although robots.txt forbids it. */
  readonly trespass: readonly string[];
  readonly duplicates: readonly string[];
  /** Over all hosts, from one arrival to the next, as the servers saw it; Infinity when none. */
  readonly smallestGapMs: number;
  /** Arrivals at a host while an earlier request was still open. */
  readonly overlaps: number;
  readonly hosts: number;
  readonly requests: number;
}
