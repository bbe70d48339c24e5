/**
 * Places where `<` is not markup: comments, and the inside of script, style, title and their
 * like. Each function answers where that place ends, in one pass and without going back.
 */
import { TAG_SCRIPT } from '../src/page/kernel-tags';
import { BANG, DASH, find, findEither, GREATER, LESS, pageEnd, SLASH } from './bytes';
import { nameEnd, tagAt } from './tags';

/** Past the comment that opened with `<!--` before `from`. `<!-->` and `--!>` end one too. */
export function endOfComment(from: i32): i32 {
  for (let at = find(GREATER, from); at < pageEnd; at = find(GREATER, at + 1)) {
    if (isDash(at - 1) && isDash(at - 2)) return at + 1;
    const isBang = load<u8>(at - 1) === BANG && at - 3 >= from;
    if (isBang && isDash(at - 2) && isDash(at - 3)) return at + 1;
  }
  return pageEnd;
}

function isDash(at: i32): bool {
  return load<u8>(at) === DASH;
}

/** Past the next `>`: a doctype, `<?…>`, or a comment of the bogus kind. */
export function endOfBogusComment(from: i32): i32 {
  const at = find(GREATER, from);
  return at < pageEnd ? at + 1 : max(at, from);
}

/** Where `</name` stands that ends this tag's raw text; the end of the page if nowhere. */
export function endOfRawText(from: i32, tag: i32): i32 {
  for (let at = find(LESS, from); at < pageEnd; at = find(LESS, at + 1)) {
    if (load<u8>(at + 1) === SLASH && isName(at + 2, tag)) return at;
  }
  return pageEnd;
}

/** This tag's name, and something that ends it. */
function isName(at: i32, tag: i32): bool {
  return at < pageEnd && tagAt(at) === tag && nameEnd < pageEnd;
}

/**
 * Where `</script` stands that ends this script. Inside `<!-- … -->` a script may hold a whole
 * `<script>…</script>` of its own, an old way to hide scripts that browsers still honour.
 */
export function endOfScript(from: i32): i32 {
  let isEscaped = false;
  let isNested = false;
  let at = from;
  while (true) {
    at = isEscaped ? findEither(LESS, GREATER, at) : find(LESS, at);
    if (at >= pageEnd) return pageEnd;
    if (load<u8>(at) === GREATER) {
      if (isDash(at - 1) && isDash(at - 2)) isEscaped = isNested = false;
    } else if (load<u8>(at + 1) === SLASH && isName(at + 2, TAG_SCRIPT)) {
      if (!isNested) return at;
      isNested = false;
    } else if (isEscaped && !isNested && isName(at + 1, TAG_SCRIPT)) isNested = true;
    else if (!isEscaped && opensComment(at)) {
      isEscaped = true;
      at += 3;
    }
    at++;
  }
}

function opensComment(at: i32): bool {
  return load<u8>(at + 1) === BANG && isDash(at + 2) && isDash(at + 3);
}
