/**
 * The prices of `orb plan` (O3). The defaults stand in for one's own: round, in no currency,
 * and 0 for what many do not pay for. Meant to be kept in a file: `orb plan --config FILE`.
 */
import { DEFAULT_INPUTS } from '../../plan/inputs.ts';
import { number, text } from '../kinds-plain.ts';
import { setting } from '../setting.ts';

const { prices } = DEFAULT_INPUTS;
const unitPrice = () => number({ min: 0, max: 1e9 });

export const price = {
  currency: setting(text('NAME', 'a name such as EUR'), prices.currency, {
    help: 'What the prices are in; only printed.',
    example: 'EUR',
  }),
  priceStorage: setting(unitPrice(), prices.storageTbMonth, {
    help: 'Of a TB stored for a month.',
    example: '20',
    aliases: ['storage-price', 'price-tb'],
  }),
  priceNode: setting(unitPrice(), prices.nodeMonth, {
    help: 'Of a node for a month.',
    example: '100',
    aliases: ['node-price', 'price-server'],
  }),
  priceMemory: setting(unitPrice(), prices.memoryGbMonth, {
    help: 'Of a GB for a month in a memory store; 0 when the nodes hold the filter.',
    example: '5',
    aliases: ['memory-price', 'price-ram'],
  }),
  priceTraffic: setting(unitPrice(), prices.trafficTb, {
    help: 'Of a TB received.',
    example: '10',
    aliases: ['traffic-price', 'price-bandwidth'],
  }),
  priceWrites: setting(unitPrice(), prices.writesMillion, {
    help: 'Of a million bodies written one by one; 0 when they are written in packs.',
    example: '5',
    aliases: ['price-requests', 'price-puts'],
  }),
};
