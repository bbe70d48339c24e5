/** How long what is stored under a tag of `store.region` is kept (G2). */
import { list } from '../kind.ts';
import { regionSpan } from '../kinds-region.ts';
import { setting } from '../setting.ts';

export const regions = {
  keepRegionFor: setting(list(regionSpan()), [], {
    help: 'Let go of bodies with this tag after that time, in place of --keep-bodies-for.',
    example: 'eu=30d',
    aliases: ['region-retention'],
  }),
};
