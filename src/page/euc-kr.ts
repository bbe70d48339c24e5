/**
 * EUC-KR as the Encoding Standard has it, which is windows-949: all 11,172 syllables. The decoder of
 * this Node knows KS X 1001 alone, and that lacks 8,822 of them (똠, 햏).
 *
 * No table is needed for those: they stand in alphabetical order wherever KS X 1001 has no room.
 */
const LEAD_MIN = 0x81;
const TRAIL_MIN = 0x41;
const TRAILS = 0xbf;
const BYTE_MAX = 0xfe;
/** Where KS X 1001 begins, for both bytes. */
const STANDARD_MIN = 0xa1;
const SYLLABLES = { first: 0xac00, last: 0xd7a3, leadMax: 0xc6 };
const NOTHING = 0xfffd;

let table: Uint16Array | undefined;

export function decodeEucKr(body: Uint8Array): string {
  table ??= makeTable();
  const units = new Uint16Array(body.length);
  let count = 0;
  for (let at = 0; at < body.length; at++) {
    const lead = body[at] as number;
    if (lead < 0x80) units[count++] = lead;
    else {
      const unit = at + 1 < body.length ? unitOf(table, lead, body[at + 1] as number) : NOTHING;
      units[count++] = unit;
      // What is ASCII behind a lead that it does not belong to is itself.
      const isLead = lead >= LEAD_MIN && lead <= BYTE_MAX;
      if (isLead && (unit !== NOTHING || (body[at + 1] ?? 0) >= 0x80)) at++;
    }
  }
  return Buffer.from(units.buffer, 0, 2 * count).toString('utf16le');
}

function unitOf(units: Uint16Array, lead: number, trail: number): number {
  const isPair = lead >= LEAD_MIN && lead <= BYTE_MAX && trail >= TRAIL_MIN && trail <= BYTE_MAX;
  return isPair ? (units[placeOf(lead, trail)] as number) : NOTHING;
}

function placeOf(lead: number, trail: number): number {
  return (lead - LEAD_MIN) * TRAILS + trail - TRAIL_MIN;
}

function makeTable(): Uint16Array {
  const units = new Uint16Array((BYTE_MAX - LEAD_MIN + 1) * TRAILS).fill(NOTHING);
  const decoder = new TextDecoder('euc-kr');
  for (let lead = STANDARD_MIN; lead <= BYTE_MAX; lead++) {
    for (let trail = STANDARD_MIN; trail <= BYTE_MAX; trail++) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      if (/^[^\ue000-\uf8ff]$/.test(text)) units[placeOf(lead, trail)] = text.charCodeAt(0);
    }
  }
  units[placeOf(0xa2, 0xe6)] = 0x20ac;
  units[placeOf(0xa2, 0xe7)] = 0xae;
  addSyllables(units);
  return units;
}

function addSyllables(units: Uint16Array): void {
  const has = new Set(units);
  let next = SYLLABLES.first;
  for (let lead = LEAD_MIN; lead <= SYLLABLES.leadMax; lead++) {
    for (let trail = TRAIL_MIN; trail <= BYTE_MAX; trail++) {
      if (!isFree(lead, trail)) continue;
      while (has.has(next)) next++;
      if (next > SYLLABLES.last) return;
      units[placeOf(lead, trail)] = next++;
    }
  }
}

function isFree(lead: number, trail: number): boolean {
  if (trail >= STANDARD_MIN) return lead < STANDARD_MIN;
  return trail > 0x80 || (trail > 0x60 && trail < 0x7b) || trail < 0x5b;
}
