/**
 * One pass over a page's UTF-8 bytes that finds its links, title and words.
 *
 * No tree is built. What a tree builder would do to links is kept as a few facts: how deep in
 * templates (whose content isn't in the page), whether in noscript, in SVG, in a frameset,
 * which anchor is open. Values stay offsets until they are wanted; hrefs are resolved after
 * the pass, because a `<base>` below a link still moves it.
 *
 * We run no scripts, so noscript holds markup: its links count. Its words, refreshes and base
 * don't: they are written for someone else ("please enable JavaScript").
 *
 * Not here: the rules inside tags (attributes.ts), comments and scripts (raw-text.ts), what
 * meta tags say (page-facts.ts), URLs (scan.ts).
 */
import { ATTRIBUTE, AttributeReader, skipAttributes } from './attributes.ts';
import {
  BANG,
  CLASS,
  DASH,
  GREATER,
  IS_LETTER,
  IS_SPACE,
  indexOfByte,
  LESS,
  QUESTION,
  SLASH,
} from './bytes.ts';
import type { Utf8Body } from './decode.ts';
import { ForeignStack } from './foreign.ts';
import { type LinkKind, LinkList } from './link-list.ts';
import { PageFacts } from './page-facts.ts';
import { endOfBogusComment, endOfComment, endOfRawText, endOfScript } from './raw-text.ts';
import { SharedDivs } from './shared-divs.ts';
import {
  ANNOTATION_XML,
  DIV,
  GAP,
  GAP_INLINE,
  HEAD_ONLY,
  MTEXT,
  PLAIN,
  readTagName,
  TAG,
  tagName,
  ZONE,
} from './tags.ts';
import { TextBuffer, VOICE } from './text-buffer.ts';
import { NAMED_DIV, Zones } from './zones.ts';

export interface ScanLimits {
  /** Gather all words, not only those of links and title. */
  readonly text: boolean;
  /** Note images and forms too. */
  readonly resources: boolean;
  /** Kept of links and of resources each; what comes after is only counted. */
  readonly linksMax: number;
  readonly textBytesMax: number;
}

/** Longer anchor texts are cut; in bytes here, in characters when they become strings. */
export const ANCHOR_CHARS_MAX = 200;
const ANCHOR_BYTES_MAX = 4 * ANCHOR_CHARS_MAX;
const LINK_RELS = /(?:^|[\t\n\f\r ])(?:next|prev|alternate|canonical)(?![^\t\n\f\r ])/;

const CDATA = '[CDATA[';

const RAW_NAMES: Readonly<Record<number, string>> = {
  [TAG.title]: 'title',
  [TAG.style]: 'style',
  [TAG.textarea]: 'textarea',
  [TAG.noframes]: 'noframes',
  [TAG.noembed]: 'noembed',
  [TAG.xmp]: 'xmp',
};

export class HtmlScanner {
  readonly links: LinkList;
  readonly facts: PageFacts;
  readonly words: TextBuffer;
  titleFrom = -1;
  titleTo = -1;

  readonly #bytes: Buffer;
  readonly #attributes: AttributeReader;
  readonly #limits: ScanLimits;
  readonly #foreign = new ForeignStack();
  readonly #zones = new Zones();
  readonly #divs = new SharedDivs();
  #templates = 0;
  #noscript = false;
  #frameset = false;
  /** Something is on the page that no frameset may follow. */
  #ordinary = false;
  #anchor = -1;
  #collecting: boolean;

  constructor(body: Utf8Body, limits: ScanLimits) {
    this.#bytes = body.bytes;
    this.#attributes = new AttributeReader(this.#bytes);
    this.#limits = limits;
    this.links = new LinkList(limits.linksMax);
    this.facts = new PageFacts(limits.linksMax);
    this.#collecting = limits.text;
    this.words = new TextBuffer(limits.textBytesMax);
  }

  run(): void {
    const bytes = this.#bytes;
    const end = bytes.length;
    let at = 0;
    while (at < end) {
      const less = this.#textTo(at);
      if (less === end) break;
      at = this.#markup(less);
    }
    this.#closeAnchor();
  }

  /** The text up to the next tag; answers where that is. */
  #textTo(at: number): number {
    const isAll = this.#collecting && this.#limits.text && this.#ordinary;
    if (isAll) return this.words.addToTag(this.#bytes, at);
    const less = indexOfByte(this.#bytes, LESS, at);
    if (less > at && (this.#collecting || !this.#ordinary)) this.#text(at, less, true);
    return less;
  }

  #text(from: number, to: number, references: boolean): void {
    if (!this.#ordinary && this.#templates === 0) this.#ordinary = this.#hasWords(from, to);
    if (!this.#collecting) return;
    this.words.add(this.#bytes, from, to, references);
    if (this.#limits.text) return;
    const from0 = this.links.textFrom(this.#anchor);
    if (this.words.length - from0 > ANCHOR_BYTES_MAX) this.#collecting = false;
  }

  #hasWords(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      if (((CLASS[this.#bytes[at] as number] as number) & IS_SPACE) === 0) return true;
    }
    return false;
  }

  /** Acts on what `<` opens here and answers where to go on. */
  #markup(less: number): number {
    const bytes = this.#bytes;
    const next = bytes[less + 1] ?? 0;
    if ((CLASS[next] as number) & IS_LETTER) return this.#startTag(less + 1);
    if (next === SLASH) return this.#slash(less);
    if (next === BANG) return this.#declaration(less);
    if (next === QUESTION) return endOfBogusComment(bytes, less + 2);
    this.#text(less, less + 1, false);
    return less + 1;
  }

  #slash(less: number): number {
    const after = this.#bytes[less + 2];
    if (after === undefined) {
      this.#text(less, less + 2, false);
      return less + 2;
    }
    if ((CLASS[after] as number) & IS_LETTER) return this.#endTag(less + 2);
    return after === GREATER ? less + 3 : endOfBogusComment(this.#bytes, less + 2);
  }

  #declaration(less: number): number {
    const bytes = this.#bytes;
    if (bytes[less + 2] === DASH && bytes[less + 3] === DASH) {
      this.words.widenGap(GAP_INLINE);
      return endOfComment(bytes, less + 4);
    }
    if (!this.#foreign.inside || !isCdata(bytes, less + 2)) {
      return endOfBogusComment(bytes, less + 2);
    }
    const close = bytes.indexOf(']]>', less + 9, 'latin1');
    const end = close < 0 ? bytes.length : close;
    this.#text(less + 9, end, false);
    return close < 0 ? end : end + 3;
  }

  #startTag(nameAt: number): number {
    const tag = readTagName(this.#bytes, nameAt);
    const nameEnd = tagName.end;
    if (!this.#foreign.empty) {
      this.#foreign.breakOut(tag);
      if (this.#foreign.inside) return this.#foreignStart(tag, nameEnd);
    }
    if (!this.#ordinary && HEAD_ONLY[tag] === 0 && this.#templates === 0) {
      this.#ordinary = !this.#frameset;
    }
    this.words.widenGap(GAP[tag] as number);
    if (tag === TAG.a) return this.#startAnchor(nameEnd);
    if (tag === 0) return this.#skip(nameEnd);
    if (tag >= PLAIN) return this.#startPlain(tag, nameEnd);
    return this.#startActing(tag, nameEnd);
  }

  #startPlain(tag: number, nameEnd: number): number {
    const past = this.#skip(nameEnd);
    if (ZONE[tag] !== 0) {
      this.#zones.open(ZONE[tag] as number);
      this.#speak();
    } else if (tag === DIV && this.#divs.open(this.#bytes, nameEnd, past)) {
      this.#zones.open(NAMED_DIV);
      this.#speak();
    }
    return past;
  }

  #skip(nameEnd: number): number {
    if (this.#bytes[nameEnd] === GREATER) return nameEnd + 1;
    const past = skipAttributes(this.#bytes, nameEnd);
    return past < 0 ? this.#bytes.length : past;
  }

  #endTag(nameAt: number): number {
    const tag = readTagName(this.#bytes, nameAt);
    const past = this.#skip(tagName.end);
    if (tag === TAG.a) {
      this.#closeAnchor();
      this.words.widenGap(GAP_INLINE);
      return past;
    }
    this.words.widenGap(GAP[tag] as number);
    if (ZONE[tag] !== 0) {
      this.#zones.close(ZONE[tag] as number);
      this.#speak();
    } else if (tag === DIV && this.#divs.close()) {
      this.#zones.close(NAMED_DIV);
      this.#speak();
    }
    if (tag === TAG.template && this.#templates > 0) {
      this.#templates--;
      this.#foreign.leave();
    } else if (!this.#foreign.empty) this.#foreignEnd(tag);
    else if (tag === TAG.noscript) this.#noscript = false;
    else return past;
    this.#decideCollecting();
    return past;
  }

  #foreignEnd(tag: number): void {
    if (this.#foreign.inside) this.#foreign.breakOut(tag);
    this.#foreign.close(tag === ANNOTATION_XML ? MTEXT : tag);
  }

  /** Inside a drawing or formula only anchors are links. */
  #foreignStart(tag: number, nameEnd: number): number {
    this.words.widenGap(GAP[tag] as number);
    if (tag === TAG.a) return this.#startAnchor(nameEnd);
    const past = this.#attributes.read(nameEnd);
    if (past < 0) return this.#bytes.length;
    this.#foreign.open(this.#foreignTag(tag), this.#attributes.selfClosing);
    this.#decideCollecting();
    return past;
  }

  /** `annotation-xml` holds HTML when it says so, and is then like any other island. */
  #foreignTag(tag: number): number {
    if (tag !== ANNOTATION_XML) return tag;
    const encoding = this.#attributes.value(ATTRIBUTE.encoding)?.toLowerCase();
    return encoding === 'text/html' || encoding === 'application/xhtml+xml' ? MTEXT : tag;
  }

  #startAnchor(nameEnd: number): number {
    const past = this.#attributes.read(nameEnd);
    if (past < 0) return this.#bytes.length;
    if (this.#anchor >= 0) this.#closeAnchor();
    const drawn = this.#foreign.inside;
    const isOld = drawn && this.#attributes.from(ATTRIBUTE.href) < 0;
    const index = this.#addLink('a', isOld ? ATTRIBUTE.xlinkHref : ATTRIBUTE.href);
    if (index >= 0 && !(drawn && this.#attributes.selfClosing)) {
      this.#anchor = index;
      this.#decideCollecting();
      this.#speak();
    }
    return past;
  }

  #closeAnchor(): void {
    if (this.#anchor < 0) return;
    this.links.endText(this.#anchor, this.words.length);
    this.#anchor = -1;
    this.#decideCollecting();
    this.#speak();
  }

  #speak(): void {
    const { boilerplate, isText } = this.#zones;
    if (boilerplate !== 0) this.words.speakAs(VOICE.shared);
    else {
      const link = this.#anchor >= 0 ? VOICE.link : VOICE.own;
      this.words.speakAs(isText ? link | VOICE.text : link);
    }
  }

  #decideCollecting(): void {
    const muted = this.#noscript || this.#templates > 0 || this.#frameset || this.#foreign.quiet;
    this.#collecting = !muted && (this.#limits.text || this.#anchor >= 0);
  }

  /** Takes the link that an attribute names. Its index, or -1 when it isn't kept. */
  #addLink(kind: LinkKind, attribute: number): number {
    const attributes = this.#attributes;
    const from = attributes.from(attribute);
    if (from < 0 || this.#templates > 0) return -1;
    if (this.#frameset && kind !== 'frame') return -1;
    const to = attributes.to(attribute);
    const index = this.links.add(kind, from, to, this.words.length, this.#zones.boilerplate);
    const relFrom = attributes.from(ATTRIBUTE.rel);
    if (relFrom >= 0 && index >= 0) {
      this.links.setRel(index, relFrom, attributes.to(ATTRIBUTE.rel));
    }
    return index;
  }

  #startActing(tag: number, nameEnd: number): number {
    if (tag >= TAG.title && tag <= TAG.plaintext) return this.#startContainer(tag, nameEnd);
    const past = this.#attributes.read(nameEnd);
    if (past < 0) return this.#bytes.length;
    if (tag === TAG.svg || tag === TAG.math) this.#foreign.open(tag, this.#attributes.selfClosing);
    else if (tag === TAG.html) this.facts.html(this.#attributes);
    else if (this.#templates === 0 && !this.#frameset) this.#mention(tag);
    return past;
  }

  /** A tag that names something outside the page. */
  #mention(tag: number): void {
    if (tag === TAG.area) this.#addLink('area', ATTRIBUTE.href);
    else if (tag === TAG.link) {
      const rel = this.#attributes.value(ATTRIBUTE.rel)?.toLowerCase() ?? '';
      if (LINK_RELS.test(rel)) this.#addLink('link', ATTRIBUTE.href);
    } else if (tag === TAG.base) {
      if (!this.#noscript) this.facts.base(this.#attributes);
    } else if (tag === TAG.meta) this.facts.meta(this.#attributes, !this.#noscript);
    else if (this.#limits.resources) this.facts.resource(tag, this.#attributes);
  }

  /** Tags that change how what follows is read. */
  #startContainer(tag: number, nameEnd: number): number {
    if (tag === TAG.iframe || tag === TAG.frame) return this.#startFrame(tag, nameEnd);
    const past = this.#skip(nameEnd);
    if (tag === TAG.script) return endOfScript(this.#bytes, past);
    if (tag === TAG.template) this.#templates++;
    else if (tag === TAG.noscript) this.#noscript = true;
    else if (tag === TAG.frameset) {
      if (!this.#ordinary) this.#frameset = true;
    } else return this.#rawText(tag, past);
    this.#decideCollecting();
    return past;
  }

  #startFrame(tag: number, nameEnd: number): number {
    const past = this.#attributes.read(nameEnd);
    if (past < 0) return this.#bytes.length;
    if (tag === TAG.iframe) {
      this.#addLink('iframe', ATTRIBUTE.src);
      return endOfRawText(this.#bytes, past, 'iframe');
    }
    if (this.#frameset) this.#addLink('frame', ATTRIBUTE.src);
    return past;
  }

  #rawText(tag: number, from: number): number {
    if (this.#frameset && tag !== TAG.noframes) return from;
    if (tag === TAG.plaintext) {
      this.#text(from, this.#bytes.length, false);
      return this.#bytes.length;
    }
    const end = endOfRawText(this.#bytes, from, RAW_NAMES[tag] ?? '');
    if (tag === TAG.title) this.#title(from, end);
    else if (tag === TAG.textarea) this.#text(from, end, true);
    else if (tag === TAG.xmp) this.#text(from, end, false);
    return end;
  }

  /** The first title is the page's; each is text. */
  #title(from: number, to: number): void {
    const muted = this.#noscript || this.#templates > 0;
    if (muted || (this.titleFrom >= 0 && !this.#collecting)) return;
    const textFrom = this.words.length;
    this.words.speakAs(VOICE.shared);
    this.words.add(this.#bytes, from, to, true);
    this.#speak();
    if (this.titleFrom < 0) {
      this.titleFrom = textFrom;
      this.titleTo = this.words.length;
    }
  }
}

function isCdata(bytes: Buffer, at: number): boolean {
  return bytes.toString('latin1', at, at + CDATA.length) === CDATA;
}
