/** Where pages are parsed and compressed (X3). */
import { integer, wordOr } from '../kinds-plain.ts';
import { setting } from '../setting.ts';

export const cpu = {
  workers: setting(wordOr(['auto'], integer({ min: 0, max: 256 })), 'auto', {
    help: 'Threads for parsing and compression; 0 parses HTML on the main thread.',
    example: '2',
    aliases: ['cpus', 'cores', 'processes'],
  }),
};
