/** Compliance: what is never asked for, what must not be erased, complaints, and the trail. */
import { useState } from 'preact/hooks';
import { sayCount } from '../../../plan/index.ts';
import type { Denylist, Rule } from './api-types.ts';
import { Complain, DenyForm, HoldForm, Lift, Release } from './comply-forms.tsx';
import { Trail } from './comply-trail.tsx';
import { Loading, Section, Title, Trouble, When } from './parts.tsx';
import { Strange } from './strange.tsx';
import { Numbers, Scrolling } from './tables.tsx';
import { useAsked } from './use.ts';
import { sayMany } from './words.ts';

const LEAD =
  'Decisions about pages and sites: each has a reason, a person and a line in the trail.';

export function Comply() {
  const { value, problem, again } = useAsked<Denylist>('/denylist');
  const [turn, setTurn] = useState(0);
  const changed = () => {
    again();
    setTurn((last) => last + 1);
  };
  return (
    <>
      <Title name="Compliance" lead={LEAD} />
      {problem !== undefined && <Trouble problem={problem} again={again} />}
      {value === undefined && problem === undefined && <Loading what="the denylist" />}
      {value !== undefined && (
        <>
          <Numbers
            rows={[
              ['Denials', sayCount(value.denials.length), 'never asked for again'],
              ['Takedowns', sayCount(value.takedowns), 'done so far'],
              ['Holds', sayCount(value.holds.length), 'must not be erased'],
              ['Complaints', sayCount(value.complaints), 'recorded so far'],
            ]}
          />
          <Denials rules={value.denials} onChanged={changed} />
          <Holds rules={value.holds} onChanged={changed} />
          <Section name="Complaints" note={`${sayMany(value.complaints, 'complaint')} so far`}>
            <Complain onChanged={changed} />
          </Section>
        </>
      )}
      <Trail key={turn} />
    </>
  );
}

/** Rules that one page can show; a search finds the others. */
const RULES_SHOWN = 200;

interface RulesProps {
  readonly rules: readonly Rule[];
  readonly onChanged: () => void;
}

function Denials({ rules, onChanged }: RulesProps) {
  const [wanted, setWanted] = useState('');
  const found = rules.filter((rule) => isMeant(rule, wanted.trim().toLowerCase()));
  return (
    <Section name="Denylist" note="URLs, hosts and patterns that are never asked for again">
      <DenyForm onChanged={onChanged} />
      {rules.length > 0 && (
        <search aria-label="Denylist">
          <div class="inline">
            <label for="deny-search">Find a denial</label>
            <input
              {...{ id: 'deny-search', type: 'search', value: wanted, spellcheck: false }}
              placeholder="part of a URL, a name or a reason"
              onInput={(event) => setWanted(event.currentTarget.value)}
            />
            <span class="quiet" role="status">
              {sayCount(found.length)} of {sayCount(rules.length)}
            </span>
          </div>
        </search>
      )}
      {rules.length === 0 && <p class="quiet">Nothing is denied.</p>}
      {found.length > 0 && (
        <RuleRows
          {...{ rules: found.slice(0, RULES_SHOWN), name: 'Denials' }}
          deed={(rule) => <Lift rule={rule} onChanged={onChanged} />}
        />
      )}
      {found.length > RULES_SHOWN && (
        <p class="quiet">The first {RULES_SHOWN} are shown; a search finds the others.</p>
      )}
    </Section>
  );
}

function isMeant({ value, reason, by }: Rule, wanted: string): boolean {
  return [value, reason, by].some((text) => text.toLowerCase().includes(wanted));
}

function Holds({ rules, onChanged }: RulesProps) {
  return (
    <Section name="Legal holds" note="what must not be erased, whoever asks">
      <HoldForm onChanged={onChanged} />
      {rules.length === 0 ? (
        <p class="quiet">Nothing is held.</p>
      ) : (
        <RuleRows
          rules={rules.slice(0, RULES_SHOWN)}
          name="Holds"
          deed={(rule) => <Release rule={rule} onChanged={onChanged} />}
        />
      )}
    </Section>
  );
}

interface RowsProps {
  readonly rules: readonly Rule[];
  readonly name: string;
  readonly deed?: (rule: Rule) => preact.ComponentChild;
}

function RuleRows({ rules, name, deed }: RowsProps) {
  return (
    <Scrolling label={name}>
      <table class="rows">
        <caption class="unseen">{name}</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Reason</th>
            <th scope="col" class="wide-only">
              By
            </th>
            <th scope="col" class="wide-only">
              When
            </th>
            {deed !== undefined && (
              <th scope="col">
                <span class="unseen">What can be done</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={`${rule.kind} ${rule.value}`}>
              <td>
                <span class="quiet">{rule.kind}</span> <Strange text={rule.value} />
              </td>
              <td>
                <Strange text={rule.reason} />
              </td>
              <td class="wide-only by">
                <Strange text={rule.by} />
              </td>
              <td class="wide-only nowrap">
                <When at={rule.at} />
              </td>
              {deed !== undefined && <td>{deed(rule)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
