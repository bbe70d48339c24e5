/** Kinds of addresses that lead in circles, and why they are cut off. */
import type { Trap } from './api-types.ts';
import { When } from './parts.tsx';
import { Strange } from './strange.tsx';
import { sayMany, sentence } from './words.ts';

export function Traps({ traps }: { readonly traps: readonly Trap[] }) {
  return (
    <ul class="traps">
      {traps.map(({ shape, kind, reason, since, skipped, look_at }) => (
        <li key={shape}>
          <code>
            <Strange text={shape} />
          </code>{' '}
          <span class="quiet">{kind}</span>
          <p>
            <Strange text={sentence(reason)} /> Found <When at={since} />, {sayMany(skipped, 'URL')}{' '}
            kept out since; looked at again <When at={look_at} />.
          </p>
        </li>
      ))}
    </ul>
  );
}
