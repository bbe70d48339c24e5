/**
 * Text of strangers: titles, URLs, headers, bodies. Always a text node in an element of its own
 * direction; what cannot be seen is made visible, so that it cannot pretend to be something else.
 */

/** Controls but tab and line end (ANSI begins with one), and marks that turn the reading round. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function visible(text: string): string {
  return text.replace(UNSEEN, (letter) => {
    const code = letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `\u27e8U+${code}\u27e9`;
  });
}

export function Strange({ text }: { readonly text: string }) {
  return <bdi class="strange">{visible(text)}</bdi>;
}

/** Many lines, as they are, to be scrolled with the keyboard as well. */
export function StrangeText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
    <section class="strange-text" aria-label={label} tabIndex={0}>
      <pre dir="auto">{visible(text)}</pre>
    </section>
  );
}

/** What is said beside a line, by its number from 1. */
export type Marks = ReadonlyMap<number, string>;

interface MarkedProps {
  readonly text: string;
  readonly label: string;
  readonly marks: Marks;
}

/** Lines of a longer text are not shown: nobody reads them, and a browser would be long at it. */
const LINES_SHOWN = 2_000;

/** Many lines with their numbers, some of them marked. */
export function MarkedLines({ text, label, marks }: MarkedProps) {
  const lines = text.split(/\r\n|\n|\r/);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
    <section class="strange-text" aria-label={label} tabIndex={0}>
      <ol class="marked">
        {lines.slice(0, LINES_SHOWN).map((line, i) => {
          const mark = marks.get(i + 1);
          return (
            <li key={i} {...(mark !== undefined && { class: `mark-${mark.split(' ')[0]}` })}>
              <span dir="auto">{visible(line)}</span>
              {mark !== undefined && <em>{mark}</em>}
            </li>
          );
        })}
      </ol>
      {lines.length > LINES_SHOWN && <p class="quiet">The first {LINES_SHOWN} lines.</p>}
    </section>
  );
}
