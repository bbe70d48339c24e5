/**
 * Which part of a page we are in: running text, or what all pages of the site share.
 *
 *   nav header footer aside menu   shared parts: their links say little about their targets
 *   main article                   the page's own; a header in there is that of the text
 *
 * Counters, not a stack: an end tag closes the part that it names and nothing else, so that
 * pages whose tags are crossed or never closed come out right as well. `main` ends them all: no
 * page has its text inside its navigation.
 */
/** A shared part that only its name tells (shared-divs.ts). */
export const NAMED_DIV = 0;
const HEADER = 2;
const FOOTER = 3;
const SHARED_MAX = 5;
const MAIN = 6;

export class Zones {
  /** 1 inside a shared part, else 0. */
  boilerplate = 0;
  readonly #open = new Uint8Array(8);
  #shared = 0;
  #own = 0;

  /** Inside `main` or `article`. */
  get isText(): boolean {
    return this.#own > 0;
  }

  /** Takes the number that `ZONE` has for the tag (tags.ts). */
  open(zone: number): void {
    if (zone > SHARED_MAX) {
      if (zone === MAIN) this.#leaveShared();
      this.#own++;
    } else if (!this.#isOfText(zone) && (this.#open[zone] as number) < 255) {
      this.#open[zone] = (this.#open[zone] as number) + 1;
      this.#shared++;
      this.boilerplate = 1;
    }
  }

  close(zone: number): void {
    if (zone > SHARED_MAX) {
      if (this.#own > 0) this.#own--;
    } else if (this.#open[zone] !== 0) {
      this.#open[zone] = (this.#open[zone] as number) - 1;
      if (--this.#shared === 0) this.boilerplate = 0;
    }
  }

  #isOfText(zone: number): boolean {
    return this.#own > 0 && (zone === HEADER || zone === FOOTER);
  }

  #leaveShared(): void {
    this.#open.fill(0);
    this.#shared = 0;
    this.boilerplate = 0;
  }
}
