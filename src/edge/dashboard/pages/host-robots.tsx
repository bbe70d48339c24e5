/** What a host's robots.txt said, and where it leads in circles. */
import { sayCount } from '../../../plan/index.ts';
import type { HostDetail } from './api-types.ts';
import { Facts, Section, When } from './parts.tsx';
import { Strange, StrangeText } from './strange.tsx';

export function Robots({ robots }: Pick<HostDetail, 'robots'>) {
  return (
    <Section name="robots.txt">
      {robots.length === 0 && <p class="quiet">It was not read yet.</p>}
      {robots.map(({ origin, status, fetched_at, expires_at, problem, text }) => (
        <div class="robots" key={origin}>
          <Facts
            rows={[
              ['Of', <Strange key="of" text={origin} />],
              ['Answer', status === 0 ? 'none' : String(status)],
              ['Read', <When key="read" at={fetched_at} />],
              ['Read again', <When key="again" at={expires_at} />],
              ['Trouble', problem === undefined ? undefined : <Strange text={problem} />],
            ]}
          />
          {text === '' ? (
            <p class="quiet">
              {status >= 400 && status < 500 ? 'There is none: all is allowed.' : 'It is empty.'}
            </p>
          ) : (
            <StrangeText text={text} label={`robots.txt of ${origin}`} />
          )}
        </div>
      ))}
    </Section>
  );
}

export function Traps({ traps }: Pick<HostDetail, 'traps'>) {
  if (traps.length === 0) return null;
  return (
    <Section name="Traps" note="kinds of addresses that are cut off">
      <ul class="traps">
        {traps.map(({ shape, reason, since, skipped, look_at }) => (
          <li key={shape}>
            <code>
              <Strange text={shape} />
            </code>
            <p>
              <Strange text={reason} /> Found <When at={since} />, {sayCount(skipped)} URLs kept out
              since; looked at again <When at={look_at} />.
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
