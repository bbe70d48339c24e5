/** The values of a header field that names several; a comma inside quotes does not separate. */
export function fieldValues(field: string): string[] {
  const parts: string[] = [];
  let quoted = false;
  let start = 0;
  for (let at = 0; at < field.length; at++) {
    const code = field.charCodeAt(at);
    if (code === 92 && quoted) at++;
    else if (code === 34) quoted = !quoted;
    else if (code === 44 && !quoted) {
      parts.push(field.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(field.slice(start));
  return parts;
}
