/**
 * Append-only files in a row, of which the newest grows:
 *
 *   pack-000001.orb  pack-000002.orb  pack-000003.orb ← append()
 *
 * A batch is one write at a known place, so whatever fails, or dies, inside it leaves at most
 * a ragged end: bytes behind `end` of the newest file. They are cut off, at once if the disk
 * lets us and else before the next write; nothing before them is touched.
 *
 * Not here: what the bytes mean and where the last whole piece ends (pack.ts, event-log.ts).
 */
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '../../base/assert.ts';
import { diskError, type GrowingFile, syncFolder, writeAll } from './disk.ts';
import { openGrowingFile } from './growing-file.ts';
import { ReadFiles } from './read-files.ts';
import { Turns } from './turns.ts';

export interface SegmentOptions {
  readonly folder: string;
  readonly prefix: string;
  readonly suffix: string;
  /** A batch that would pass this goes into the next file; a larger batch gets its own. */
  readonly bytesMax: number;
  /** Opens a file to write at any place of it, made if it is not there. */
  readonly openToWrite?: (path: string) => Promise<GrowingFile>;
}

/** A place in the row of files. */
export interface Spot {
  readonly file: number;
  readonly at: number;
}

/** Bytes for a place in a file. */
export interface Patch {
  readonly at: number;
  readonly bytes: Uint8Array;
}

const DIGITS = 6;

export class Segments {
  readonly #options: SegmentOptions;
  readonly #sizes: Map<number, number>;
  readonly #reads = new ReadFiles();
  readonly #appends = new Turns();
  readonly #syncs = new Turns();
  #newest: number;
  #growing: GrowingFile | undefined;
  /** Files that grew no more since the last sync(), and are not safe from a power cut yet. */
  #rolled: GrowingFile[] = [];
  #isRagged = false;
  #isClosed = false;
  #synced: Spot | undefined;

  private constructor(options: SegmentOptions, sizes: Map<number, number>) {
    this.#options = options;
    this.#sizes = sizes;
    this.#newest = Math.max(1, ...sizes.keys());
  }

  static async open(options: SegmentOptions): Promise<Segments> {
    const { folder } = options;
    try {
      await mkdir(folder, { recursive: true });
      return new Segments(options, await sizesOf(options));
    } catch (error) {
      throw diskError(error, folder);
    }
  }

  /** The numbers of the files, oldest first. */
  get files(): readonly number[] {
    return [...this.#sizes.keys()].sort((a, b) => a - b);
  }

  get end(): Spot {
    return { file: this.#newest, at: this.sizeOf(this.#newest) };
  }

  sizeOf(file: number): number {
    return this.#sizes.get(file) ?? 0;
  }

  pathOf(file: number): string {
    const { folder, prefix, suffix } = this.#options;
    return join(folder, `${prefix}${String(file).padStart(DIGITS, '0')}${suffix}`);
  }

  /**
   * Appends what `batch` makes of the place where it will stand; resolves with that place when
   * the system has the bytes, and they survive kill -9. When it rejects, nothing was appended.
   */
  append(bytes: number, batch: (spot: Spot) => readonly Uint8Array[]): Promise<Spot> {
    return this.#appends.take(async () => {
      assert(!this.#isClosed, 'nothing is appended after close()');
      try {
        const file = await this.#fileFor(bytes);
        const spot = this.end;
        await this.#write(file, batch(spot), spot.at);
        this.#sizes.set(spot.file, spot.at + bytes);
        return spot;
      } catch (error) {
        throw diskError(error, this.pathOf(this.#newest));
      }
    });
  }

  /** Other bytes in the place of some that are there, safe from a power cut when it resolves. */
  async overwrite(file: number, patches: readonly Patch[]): Promise<void> {
    const path = this.pathOf(file);
    try {
      const handle = await this.#openToWrite(file);
      try {
        for (const { at, bytes } of patches) {
          assert(at + bytes.length <= this.sizeOf(file), 'what is overwritten is there');
          await writeAll(handle, [bytes], at);
        }
        await handle.datasync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw diskError(error, path);
    }
  }

  /** Forgets what stands behind `bytes` in the newest file: a torn end. */
  async cutTo(bytes: number): Promise<void> {
    if (bytes >= this.sizeOf(this.#newest)) return;
    this.#sizes.set(this.#newest, bytes);
    this.#isRagged = true;
    // A disk that is read-only today may still be read; the next append cuts, or says why not.
    await this.#appends.take(() => this.#cut()).catch(() => {});
  }

  async read(spot: Spot, length: number): Promise<Buffer> {
    return this.#reads.read(this.pathOf(spot.file), spot.at, length);
  }

  /** Makes what was appended so far survive a power cut; answers how far that is. */
  sync(): Promise<Spot> {
    return this.#syncs.take(async () => {
      const safe = this.end;
      if (isSame(safe, this.#synced)) return safe;
      const rolled = this.#rolled;
      try {
        await this.#growing?.datasync();
        for (const file of rolled) await file.datasync();
        await syncFolder(this.#options.folder);
      } catch (error) {
        throw diskError(error, this.#options.folder);
      }
      this.#rolled = this.#rolled.filter((file) => !rolled.includes(file));
      for (const file of rolled) await file.close();
      this.#synced = safe;
      return safe;
    });
  }

  /** Closes the files; sync() first if a power cut matters. */
  async close(): Promise<void> {
    await this.#appends.take(async () => {
      this.#isClosed = true;
    });
    await this.#syncs.take(async () => {});
    await this.#reads.close();
    for (const file of [...this.#rolled, this.#growing]) await file?.close();
    this.#rolled = [];
    this.#growing = undefined;
  }

  async #fileFor(bytes: number): Promise<GrowingFile> {
    const { at } = this.end;
    if (at > 0 && at + bytes > this.#options.bytesMax) await this.#roll();
    if (this.#isRagged) await this.#cut();
    this.#growing ??= await this.#openToWrite(this.#newest);
    return this.#growing;
  }

  async #roll(): Promise<void> {
    if (this.#isRagged) await this.#cut();
    const next = await this.#openToWrite(this.#newest + 1);
    if (this.#growing !== undefined) this.#rolled.push(this.#growing);
    this.#growing = next;
    this.#newest++;
    this.#sizes.set(this.#newest, 0);
  }

  async #write(file: GrowingFile, batch: readonly Uint8Array[], at: number): Promise<void> {
    try {
      await writeAll(file, batch, at);
    } catch (error) {
      this.#isRagged = true;
      await this.#cut().catch(() => {});
      throw error;
    }
  }

  async #cut(): Promise<void> {
    this.#growing ??= await this.#openToWrite(this.#newest);
    await this.#growing.truncate(this.sizeOf(this.#newest));
    this.#isRagged = false;
  }

  #openToWrite(file: number): Promise<GrowingFile> {
    return (this.#options.openToWrite ?? openGrowingFile)(this.pathOf(file));
  }
}

function isSame(a: Spot, b: Spot | undefined): boolean {
  return a.file === b?.file && a.at === b.at;
}

async function sizesOf({ folder, prefix, suffix }: SegmentOptions): Promise<Map<number, number>> {
  const sizes = new Map<number, number>();
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(suffix)) continue;
    const number = name.slice(prefix.length, name.length - suffix.length);
    if (/^\d+$/.test(number)) sizes.set(Number(number), (await stat(join(folder, name))).size);
  }
  return sizes;
}
