/** Forms of the compliance page: deny, lift, hold, release, complain. Each asks for a reason. */
import { useState } from 'preact/hooks';
import type { Rule, TakedownReport } from './api-types.ts';
import { post } from './ask.ts';
import { Confirm, Field } from './dialog.tsx';
import { Strange, visible } from './strange.tsx';
import { ReasonFields, reasonIn, type Subject, TakeDownQuestion } from './takedown.tsx';
import { useDoing } from './use.ts';

interface FormProps {
  readonly onChanged: () => void;
}

const KINDS = { host: 'Host', url: 'URL', pattern: 'Pattern' } as const;
type Kind = keyof typeof KINDS;

interface SubjectProps {
  readonly id: string;
  readonly deed: string;
  readonly onSubject: (subject: Subject) => void;
}

/** What is meant, in one line. */
function SubjectForm({ id, deed, onSubject }: SubjectProps) {
  const [kind, setKind] = useState<Kind>('host');
  const submit = (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const value = String(new FormData(form).get('value')).trim();
    if (value !== '') onSubject({ [kind]: value });
    form.reset();
  };
  return (
    <form class="inline" onSubmit={submit}>
      <label class="unseen" for={`${id}-kind`}>
        Kind
      </label>
      <select
        id={`${id}-kind`}
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as Kind)}
      >
        {Object.entries(KINDS).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <label class="unseen" for={`${id}-value`}>
        What to {deed.toLowerCase()}
      </label>
      <input
        {...{ id: `${id}-value`, name: 'value', required: true, maxLength: 8_000 }}
        {...{ spellcheck: false, autoComplete: 'off', placeholder: EXAMPLES[kind] }}
      />
      <button type="submit">{deed}…</button>
    </form>
  );
}

const EXAMPLES: Readonly<Record<Kind, string>> = {
  host: 'example.com, with all its ports',
  url: 'https://example.com/page',
  pattern: 'https://*.example.com/private/*',
};

export function DenyForm({ onChanged }: FormProps) {
  const [subject, setSubject] = useState<Subject | undefined>();
  const doing = useDoing<TakedownReport>(() => {
    setSubject(undefined);
    onChanged();
  });
  const close = () => {
    setSubject(undefined);
    doing.clear();
  };
  return (
    <>
      <SubjectForm id="deny" deed="Deny" onSubject={setSubject} />
      {subject !== undefined && (
        <TakeDownQuestion what="this" {...{ subject, doing }} onClose={close} />
      )}
    </>
  );
}

interface Decision {
  readonly title: string;
  readonly deed: string;
  readonly note: string;
  readonly path: string;
  readonly more?: object;
}

const HOLD: Decision = {
  ...{ title: 'Hold this?', deed: 'Hold it', path: '/holds' },
  note: 'Nothing of it is erased until the hold is released.',
};
const RELEASE: Decision = {
  ...{ title: 'Release this hold?', deed: 'Release it', path: '/holds', more: { release: true } },
  note: 'It may be erased again after that.',
};
const LIFT: Decision = {
  ...{ title: 'Lift this denial?', deed: 'Lift it', path: '/denylist/lift' },
  note: 'It may be asked for again after that. What was erased stays erased.',
};

export function HoldForm({ onChanged }: FormProps) {
  const [subject, setSubject] = useState<Subject | undefined>();
  return (
    <>
      <SubjectForm id="hold" deed="Hold" onSubject={setSubject} />
      {subject !== undefined && (
        <DecisionQuestion
          {...{ subject, decision: HOLD, onChanged }}
          onClose={() => setSubject(undefined)}
        />
      )}
    </>
  );
}

interface RuleProps extends FormProps {
  readonly rule: Rule;
}

export function Release(props: RuleProps) {
  return <EndRule {...props} word="Release" decision={RELEASE} />;
}

export function Lift(props: RuleProps) {
  return <EndRule {...props} word="Lift" decision={LIFT} />;
}

interface EndProps extends RuleProps {
  readonly word: string;
  readonly decision: Decision;
}

function EndRule({ rule, word, decision, onChanged }: EndProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {word}
        <span class="unseen"> {visible(rule.value)}</span>…
      </button>
      {isOpen && (
        <DecisionQuestion
          {...{ subject: subjectOf(rule), decision, onChanged }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

/** A site is a host with all below it. */
function subjectOf({ kind, value }: Rule): Subject {
  if (kind === 'url') return { url: value };
  if (kind === 'pattern') return { pattern: value };
  return kind === 'host' ? { host: value } : { host: value, subdomains: true };
}

interface DecisionProps extends FormProps {
  readonly subject: Subject;
  readonly decision: Decision;
  readonly onClose: () => void;
}

function DecisionQuestion({ subject, decision, onChanged, onClose }: DecisionProps) {
  const { title, deed, note, path, more } = decision;
  const doing = useDoing<object>(() => {
    onClose();
    onChanged();
  });
  const send = (form: FormData) =>
    void doing.act(() => post(path, { ...subject, reason: reasonIn(form), ...more }));
  return (
    <Confirm
      {...{ title, deed, onDo: send, onClose, isBusy: doing.isBusy, problem: doing.problem }}
    >
      <p>
        <Strange text={subject.url ?? subject.host ?? subject.pattern ?? ''} />
      </p>
      <p>{note}</p>
      <ReasonFields />
    </Confirm>
  );
}

export function Complain({ onChanged }: FormProps) {
  const [isOpen, setIsOpen] = useState(false);
  const doing = useDoing<object>(() => {
    setIsOpen(false);
    onChanged();
  });
  const send = (form: FormData) =>
    void doing.act(() =>
      post('/complaints', {
        ...{ host: String(form.get('host')).trim(), text: String(form.get('text')).trim() },
        opt_out: form.get('opt_out') !== null,
      }),
    );
  const close = () => {
    setIsOpen(false);
    doing.clear();
  };
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Record a complaint…
      </button>
      {isOpen && (
        <Confirm
          {...{ title: 'Record a complaint', deed: 'Record it', onDo: send, onClose: close }}
          {...{ isBusy: doing.isBusy, problem: doing.problem }}
        >
          <Field id="complaint-host" label="Host">
            <input id="complaint-host" name="host" required autoComplete="off" />
          </Field>
          <Field id="complaint-text" label="What they say">
            <textarea id="complaint-text" name="text" rows={3} required maxLength={2_000} />
          </Field>
          <label class="check">
            <input type="checkbox" name="opt_out" /> They want never to be asked again
          </label>
        </Confirm>
      )}
    </>
  );
}
