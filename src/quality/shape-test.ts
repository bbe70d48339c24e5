/**
 * A shape as `orb why` writes it, as a test of path and query: what an operator vouches for.
 *
 *   /wiki/Article-*   /list/*?visit=*      a shape: * stands for anything but a slash
 *   /wiki/**  /tree/~                      everything below a folder
 *   /shop?                                 the path with any query
 *   ?visit=                                that parameter, on any path
 */
const SPECIAL = /[.+^${}()|[\]\\?]/g;

export function shapeTest(shape: string): RegExp {
  if (shape.startsWith('?')) return new RegExp(`[?&]${escaped(shape.slice(1))}`);
  if (/\/(?:\*\*|~)$/.test(shape)) return new RegExp(`^${wild(shape.replace(/(?:\*\*|~)$/, ''))}`);
  return new RegExp(`^${wild(shape)}${shape.endsWith('?') ? '' : '$'}`);
}

function wild(text: string): string {
  return escaped(text).replaceAll('*', '[^/?&]*');
}

function escaped(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}
