/** A question that must be answered first: the browser's own dialog, which keeps the focus. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApiProblem } from './ask.ts';
import { Trouble } from './parts.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Open for as long as it is there. Escape closes it, and the focus goes back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = place.current as HTMLDialogElement;
    const before = document.activeElement as HTMLElement | null;
    element.showModal();
    return () => {
      element.close();
      before?.focus();
    };
  }, []);
  return (
    <dialog ref={place} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** On the button that does it. */
  readonly deed: string;
  readonly isBusy: boolean;
  readonly problem: ApiProblem | undefined;
  readonly onDo: (form: FormData) => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** What is asked for, in fields if need be, one button that does it and one that does not. */
export function Confirm(props: ConfirmProps) {
  const { title, deed, isBusy, problem, onDo, onClose, children } = props;
  const submit = (event: Event) => {
    event.preventDefault();
    onDo(new FormData(event.currentTarget as HTMLFormElement));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {children}
        {problem !== undefined && (
          <div role="alert">
            <Trouble problem={problem} />
          </div>
        )}
        <p class="buttons">
          <button type="submit" class="danger" disabled={isBusy}>
            {isBusy ? 'Working…' : deed}
          </button>
          <button type="button" onClick={onClose}>
            Leave it as it is
          </button>
        </p>
      </form>
    </Dialog>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly note?: string;
  readonly children: ComponentChildren;
}

export function Field({ id, label, note, children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {note !== undefined && <small class="quiet">{note}</small>}
    </div>
  );
}
