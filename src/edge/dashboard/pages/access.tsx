/** The token, for services that are bound beyond this machine. It stays in this tab. */
import { useState } from 'preact/hooks';
import { readToken, writeToken } from './browser.ts';
import type { LinkState, LiveFeed } from './live.ts';
import { Title } from './parts.tsx';
import { useLive } from './use.ts';

const LEAD = 'On its own machine the service asks for no token; elsewhere it does.';

export function Access({ feed }: { readonly feed: LiveFeed }) {
  const [has, setHas] = useState(readToken() !== '');
  const { link, problem } = useLive(feed);
  const take = (token: string) => {
    writeToken(token);
    setHas(token !== '');
    feed.restart();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    take(String(new FormData(form).get('token')).trim());
    form.reset();
  };
  return (
    <>
      <Title name="Access" lead={LEAD} />
      <form class="inline" onSubmit={submit}>
        <label for="token">Token</label>
        <input id="token" name="token" type="password" required autoComplete="off" />
        <button type="submit">Use it</button>
        {has && (
          <button type="button" onClick={() => take('')}>
            Forget it
          </button>
        )}
      </form>
      <p role="status" class={link === 'refused' ? 'bad-text' : ''}>
        {link === 'refused' ? `${problem?.title}. ${problem?.detail}` : saidOf(has, link)}
      </p>
      <p class="quiet">
        A token is kept until this tab is closed.{' '}
        <code>orb serve token add NAME --role operate</code> makes one that may also start crawls.
      </p>
    </>
  );
}

function saidOf(has: boolean, link: LinkState): string {
  if (link === 'connecting') return 'Asking the service…';
  if (link === 'lost') return 'The service does not answer.';
  return has ? 'The service accepts this token.' : 'No token is used, and none is asked for.';
}
