/** Taking something down: what, why and for whom; asked once more, done once, told in full. */
import { useState } from 'preact/hooks';
import type { TakedownReport } from './api-types.ts';
import { post } from './ask.ts';
import { Confirm, Field } from './dialog.tsx';
import { Notice } from './parts.tsx';
import { Strange } from './strange.tsx';
import { type Doing, useDoing } from './use.ts';
import { sayMany } from './words.ts';

export interface Subject {
  readonly url?: string;
  readonly host?: string;
  readonly subdomains?: boolean;
  readonly pattern?: string;
}

interface TakeDownProps {
  readonly subject: Subject;
  /** What the button and the question call it. */
  readonly what: string;
  readonly onDone?: () => void;
}

/** A button that asks first, and what came of it. */
export function TakeDown({ subject, what, onDone }: TakeDownProps) {
  const [isOpen, setIsOpen] = useState(false);
  const doing = useDoing<TakedownReport>(() => {
    setIsOpen(false);
    onDone?.();
  });
  return (
    <>
      <button type="button" class="danger" onClick={() => setIsOpen(true)}>
        Take {what} down
      </button>
      <div role="status">{doing.done !== undefined && <Removed report={doing.done} />}</div>
      {isOpen && (
        <TakeDownQuestion
          {...{ subject, what, doing }}
          onClose={() => {
            setIsOpen(false);
            if (doing.problem !== undefined) doing.clear();
          }}
        />
      )}
    </>
  );
}

interface QuestionProps extends TakeDownProps {
  readonly doing: Doing<TakedownReport>;
  readonly onClose: () => void;
}

export function TakeDownQuestion({ subject, what, doing, onClose }: QuestionProps) {
  const send = (form: FormData) =>
    void doing.act(() =>
      post<TakedownReport>('/takedowns', {
        ...subject,
        reason: reasonIn(form),
        erase: form.get('erase') !== null,
      }),
    );
  return (
    <Confirm
      {...{ title: `Take ${what} down?`, deed: 'Take it down', onDo: send, onClose }}
      {...{ isBusy: doing.isBusy, problem: doing.problem }}
    >
      <p>
        <Strange text={subject.url ?? subject.host ?? subject.pattern ?? ''} />
      </p>
      <p>
        It is not asked for again until somebody lifts the denial. What is erased is gone for good.
        Both are audited.
      </p>
      <ReasonFields />
      <label class="check">
        <input type="checkbox" name="erase" checked /> Also erase what is stored of it
      </label>
    </Confirm>
  );
}

export function ReasonFields() {
  return (
    <>
      <Field id="who" label="Who asks for it">
        <input id="who" name="who" required maxLength={200} autoComplete="off" />
      </Field>
      <Field id="reason" label="Reason" note="For whoever asks later; it stays in the audit trail.">
        <textarea id="reason" name="reason" rows={3} required maxLength={1_500} />
      </Field>
    </>
  );
}

/** One sentence for the trail: the API keeps a reason, and who called. */
export function reasonIn(form: FormData): string {
  const [who, reason] = [String(form.get('who')).trim(), String(form.get('reason')).trim()];
  return `${reason} (asked for by ${who})`;
}

function Removed({ report }: { readonly report: TakedownReport }) {
  const { removed, kept, audit_line: line } = report;
  const erased = [
    sayMany(removed.records, 'record'),
    sayMany(removed.bodies, 'body', 'bodies'),
    sayMany(removed.events, 'line of the log', 'lines of the log'),
  ];
  return (
    <Notice title="Taken down.">
      <p>Erased: {erased.join(', ')}.</p>
      {kept.map((sentence) => (
        <p key={sentence}>
          <Strange text={sentence} />
        </p>
      ))}
      <p>
        <a href="#/comply">Line {line} of the audit trail</a> says so.
      </p>
    </Notice>
  );
}
