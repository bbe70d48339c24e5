/**
 * The numbers of the tags that the scanner acts on or asks for by name; all others are counted on
 * from there (tags.ts). AssemblyScript reads this file too, so it holds nothing but numbers.
 */
export const TAG_A = 1;
export const TAG_AREA = 2;
export const TAG_LINK = 3;
export const TAG_META = 4;
export const TAG_BASE = 5;
/** From here to plaintext: tags that change how what follows is read. */
export const TAG_TITLE = 6;
export const TAG_SCRIPT = 7;
export const TAG_STYLE = 8;
export const TAG_TEXTAREA = 9;
export const TAG_TEMPLATE = 10;
export const TAG_NOSCRIPT = 11;
export const TAG_IFRAME = 12;
export const TAG_FRAME = 13;
export const TAG_FRAMESET = 14;
export const TAG_NOFRAMES = 15;
export const TAG_NOEMBED = 16;
export const TAG_XMP = 17;
export const TAG_PLAINTEXT = 18;
export const TAG_HTML = 19;
export const TAG_SVG = 20;
export const TAG_MATH = 21;
export const TAG_IMG = 22;
export const TAG_SOURCE = 23;
export const TAG_FORM = 24;
/** From here on tags only shape the text, end a drawing, or say which part of the page this is. */
export const PLAIN = 25;
export const TAG_DIV = 25;
export const TAG_MTEXT = 26;
export const TAG_ANNOTATION_XML = 27;
