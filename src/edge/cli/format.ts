/**
 * Numbers and crawled text, made fit for people.
 *
 *   number    1,234,567      bytes     1.4 MB (1 KB is 1,024 bytes)
 *   rate      12.5           duration  850 ms, 12 s, 3 m 05 s, 2 h 10 m, 4 d 3 h
 *
 * Crawled text is never trusted (Y3). `safeText` is for terminals and log lines: nothing in it
 * moves a cursor, starts a line, changes a colour or turns the direction of writing.
 * `csvCell` is for spreadsheets: nothing in it is taken for a formula. `jsonLine` keeps every
 * character, but writes as an escape whatever a terminal would obey.
 */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const [whole = '0', fraction] = String(Math.abs(Math.round(value * 10) / 10)).split('.');
  if (whole.includes('e')) return String(value);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const isNegative = value < 0 && !(whole === '0' && fraction === undefined);
  return `${isNegative ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** `1 host`, `2,000 hosts`. */
export function many(count: number, what: string): string {
  return `${formatNumber(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** Three figures that matter: 0.25, 4.31, 87.2, 1,370. */
export function formatRate(perSecond: number): string {
  if (!Number.isFinite(perSecond) || perSecond < 0) return '–';
  if (perSecond >= 100) return formatNumber(Math.round(perSecond));
  return perSecond.toFixed(perSecond >= 10 ? 1 : perSecond === 0 ? 0 : 2);
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return '–';
  let value = bytes;
  let unit = 0;
  while (value >= 1023.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${formatNumber(Number(value.toFixed(digits)))} ${BYTE_UNITS[unit]}`;
}

export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '–';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
  return `${formatNumber(Math.floor(minutes / 1_440))} d ${Math.floor((minutes % 1_440) / 60)} h`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Time left for `left` things at this pace; undefined when there is no pace to tell it by. */
export function etaMs(left: number, perSecond: number): number | undefined {
  if (left <= 0) return 0;
  return perSecond > 0 && Number.isFinite(perSecond) ? (left / perSecond) * 1_000 : undefined;
}

/**
 * Control characters, line and paragraph separators, and everything invisible: C0, C1, escape
 * sequences' first bytes, bidirectional controls, zero-width and unassigned characters, lone
 * surrogates. What remains of an escape sequence without its ESC is plain text.
 */
const HARMFUL = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** One harmless line of at most `max` characters; cut text ends in `…`. */
export function safeText(text: string, max = 200): string {
  // Bounded before the replacement, because crawled text may be megabytes long.
  const head = text.length > max * 2 + 2 ? text.slice(0, max * 2 + 2) : text;
  const safe = head.replace(/[\t\r\n]+/g, ' ').replace(HARMFUL, '\ufffd');
  const characters = Array.from(safe);
  const isCut = characters.length > max || head.length < text.length;
  return isCut ? `${characters.slice(0, Math.max(0, max - 1)).join('')}…` : safe;
}

/**
 * One cell of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula gets an
 * apostrophe in front, which spreadsheets show as plain text; numbers stay numbers.
 */
export function csvCell(value: string | number | boolean | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = value.replace(/\0/g, '\ufffd');
  const isFormula = /^[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text);
  const inert = isFormula ? `'${text}` : text;
  return /[",\r\n;\t']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** One line of JSON. JSON itself escapes C0 only; C1, directions and separators are as bad. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null';
  return `${json.replace(UNSAFE_IN_JSON, escaped)}\n`;
}

const UNSAFE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function escaped(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    out += `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return out;
}
