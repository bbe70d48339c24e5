/** The machines that `orb plan` counts: what one of each can do and hold (O3). */
import { DEFAULT_INPUTS } from '../../plan/inputs.ts';
import { amount, count } from '../kinds-amount.ts';
import { number } from '../kinds-plain.ts';
import { optional, setting } from '../setting.ts';

const { fleet: machines, keep } = DEFAULT_INPUTS;

export const fleet = {
  bitsPerUrl: optional(number({ min: 1, max: 256 }), {
    help: 'Bits of the filter for each known URL; their real rate is then told.',
    example: '14',
    defaultText: 'as --false-positive takes',
    aliases: ['bloom-bits'],
  }),
  recordSize: setting(amount({ min: 1, max: 1e6 }), keep.recordBytes, {
    help: 'What the store remembers of one URL.',
    example: '110B',
  }),
  hosts: optional(count({ min: 1, max: 1e12 }), {
    help: 'Hosts that there are to ask: whether politeness lets them give so many pages.',
    example: '500M',
    defaultText: 'not judged',
  }),
  fetcherRate: setting(count({ min: 0.01, max: 1e6 }), machines.fetcherRate, {
    help: 'Pages a second of one fetcher.',
    example: '500',
  }),
  shardRate: setting(count({ min: 1, max: 1e6 }), machines.shardRate, {
    help: 'Pages a second that one shard gives out and takes back.',
    example: '2500',
  }),
  shardSize: setting(amount({ min: 1e6, max: 1e15 }), machines.shardBytes, {
    help: 'Records of URLs that one shard holds.',
    example: '100GB',
  }),
  nodeMemory: setting(amount({ min: 1e6, max: 1e13 }), machines.nodeMemoryBytes, {
    help: 'Memory of a node that the filter may take.',
    example: '16GB',
  }),
  nodeBandwidth: setting(amount({ min: 1e3, max: 1e12 }), machines.nodeBandwidthBytes, {
    help: 'Bytes a second that a node can receive; 125MB is 1 Gbit/s.',
    example: '125MB',
  }),
  nodeDisk: setting(amount({ min: 1e6, max: 1e15 }), machines.nodeDiskBytes, {
    help: 'Disk of a node, for bodies that are not in an object store.',
    example: '20TB',
  }),
};
