/**
 * What a glyph's name says it is: `A`, `eacute`, `fi`, `uni20AC`, `u1F600`, `a.alt`, `f_i`.
 *
 * Letters with accents are put together from both parts, so the table is short; names that only
 * one font knows (`g123`, `c45`) say nothing.
 */
const NAMED = table(`
space 20 exclam 21 quotedbl 22 numbersign 23 dollar 24 percent 25 ampersand 26 quotesingle 27
parenleft 28 parenright 29 asterisk 2a plus 2b comma 2c hyphen 2d period 2e slash 2f zero 30 one 31
two 32 three 33 four 34 five 35 six 36 seven 37 eight 38 nine 39 colon 3a semicolon 3b less 3c
equal 3d greater 3e question 3f at 40 bracketleft 5b backslash 5c bracketright 5d asciicircum 5e
underscore 5f grave 60 braceleft 7b bar 7c braceright 7d asciitilde 7e nbspace a0 exclamdown a1
cent a2 sterling a3 currency a4 yen a5 brokenbar a6 section a7 dieresis a8 copyright a9
ordfeminine aa guillemotleft ab logicalnot ac sfthyphen ad softhyphen ad registered ae macron af
degree b0 plusminus b1 twosuperior b2 threesuperior b3 acute b4 mu b5 paragraph b6
periodcentered b7 middot b7 cedilla b8 onesuperior b9 ordmasculine ba guillemotright bb
onequarter bc onehalf bd threequarters be questiondown bf AE c6 Eth d0 multiply d7 Oslash d8
Thorn de germandbls df ae e6 eth f0 divide f7 oslash f8 thorn fe dotlessi 131 Lslash 141 lslash 142
Eng 14a eng 14b OE 152 oe 153 Dcroat 110 dcroat 111 Hbar 126 hbar 127 IJ 132 ij 133 kgreenlandic 138
longs 17f florin 192 circumflex 2c6 caron 2c7 breve 2d8 dotaccent 2d9 ring 2da ogonek 2db tilde 2dc
hungarumlaut 2dd endash 2013 emdash 2014 quoteleft 2018 quoteright 2019 quotesinglbase 201a
quotedblleft 201c quotedblright 201d quotedblbase 201e dagger 2020 daggerdbl 2021 bullet 2022
ellipsis 2026 perthousand 2030 minute 2032 second 2033 guilsinglleft 2039 guilsinglright 203a
fraction 2044 Euro 20ac euro 20ac trademark 2122 Omega 3a9 Delta 394 estimated 212e arrowleft 2190
arrowup 2191 arrowright 2192 arrowdown 2193 arrowboth 2194 arrowdblleft 21d0 arrowdblright 21d2
arrowdblboth 21d4 universal 2200 partialdiff 2202 existential 2203 emptyset 2205 gradient 2207
element 2208 notelement 2209 suchthat 220b product 220f summation 2211 minus 2212 asteriskmath 2217
radical 221a proportional 221d infinity 221e angle 2220 logicaland 2227 logicalor 2228
intersection 2229 union 222a integral 222b therefore 2234 similar 223c congruent 2245
approxequal 2248 notequal 2260 equivalence 2261 lessequal 2264 greaterequal 2265 propersubset 2282
propersuperset 2283 notsubset 2284 reflexsubset 2286 reflexsuperset 2287 circleplus 2295
circlemultiply 2297 perpendicular 22a5 dotmath 22c5 lozenge 25ca spade 2660 club 2663 heart 2665
diamond 2666 filledbox 25a0 filledcircle 25cf angleleft 2329 angleright 232a aleph 2135 weierstrass 2118
Ifraktur 2111 Rfraktur 211c theta1 3d1 phi1 3d5 omega1 3d6 sigma1 3c2 Upsilon1 3d2 afii61352 2116
zerosuperior 2070 foursuperior 2074 visiblespace 2423 angbracketleft 27e8 angbracketright 27e9
openbullet 25e6 nonbreakingspace a0 checkmark 2713 square 25a1 circle 25cb star 22c6
`);
const LIGATURES: Readonly<Record<string, string>> = {
  ...{ ff: 'ff', fi: 'fi', fl: 'fl', ffi: 'ffi', ffl: 'ffl', st: 'st', longst: 'st' },
};
const GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega';
/** As the combining character; the letter stands before it. */
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ grave: '\u0300', acute: '\u0301', circumflex: '\u0302', tilde: '\u0303', macron: '\u0304' },
  ...{ breve: '\u0306', dotaccent: '\u0307', dot: '\u0307', dieresis: '\u0308', ring: '\u030a' },
  ...{ hungarumlaut: '\u030b', caron: '\u030c', cedilla: '\u0327', commaaccent: '\u0327' },
  ...{ ogonek: '\u0328', tonos: '\u0301', dotbelow: '\u0323', hookabove: '\u0309' },
};
const ACCENTED = new RegExp(`^(.{1,8}?)(${Object.keys(ACCENTS).join('|')})$`);

GREEK.split(' ').forEach((name, i) => {
  if (name === '-') return;
  NAMED.set(name, String.fromCharCode(0x391 + i));
  NAMED.set(name.toLowerCase(), String.fromCharCode(0x3b1 + i));
});
NAMED.set('mu', '\u00b5');

/** Undefined when the name says nothing. */
export function glyphText(name: string): string | undefined {
  const known = NAMED.get(name) ?? LIGATURES[name];
  if (known !== undefined) return known;
  if (/^[A-Za-z]$/.test(name)) return name;
  return byNumber(name) ?? byCyrillic(name) ?? byAccent(name) ?? byParts(name);
}

function byNumber(name: string): string | undefined {
  const uni = /^uni((?:[0-9A-Fa-f]{4}){1,8})$/.exec(name)?.[1];
  if (uni !== undefined) {
    return uni.replace(/.{4}/g, (hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  const code = Number.parseInt(/^u([0-9A-Fa-f]{4,6})$/.exec(name)?.[1] ?? '', 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Adobe's numbers for Cyrillic letters, with Ё and ё among them. */
function byCyrillic(name: string): string | undefined {
  const nth = Number(/^afii(100\d\d)$/.exec(name)?.[1]) - 10_017;
  if (!(nth >= 0 && nth <= 80)) return undefined;
  const place = nth % 48;
  if (place > 32) return undefined;
  const isSmall = nth >= 48;
  if (place === 6) return isSmall ? 'ё' : 'Ё';
  return String.fromCharCode((isSmall ? 0x430 : 0x410) + place - (place > 6 ? 1 : 0));
}

function byAccent(name: string): string | undefined {
  const [, letter = '', accent = ''] = ACCENTED.exec(name) ?? [];
  const base = /^[A-Za-z]$/.test(letter) ? letter : letter === 'dotlessi' ? 'i' : NAMED.get(letter);
  return base === undefined ? undefined : `${base}${ACCENTS[accent]}`.normalize('NFC');
}

/** `a.small` is an a; `f_f_i` is three letters. */
function byParts(name: string): string | undefined {
  const dot = name.indexOf('.');
  if (dot > 0) return glyphText(name.slice(0, dot));
  if (!name.includes('_')) return undefined;
  const parts = name.split('_').map(glyphText);
  return parts.includes(undefined) ? undefined : parts.join('');
}

function table(text: string): Map<string, string> {
  const words = text.trim().split(/\s+/);
  const pairs = new Map<string, string>();
  for (let i = 0; i + 1 < words.length; i += 2) {
    pairs.set(words[i] as string, String.fromCharCode(Number.parseInt(words[i + 1] as string, 16)));
  }
  return pairs;
}
