/** How documents that are not HTML are read (X2). */
import { list } from '../kind.ts';
import { duration, size, text } from '../kinds-plain.ts';
import { setting } from '../setting.ts';

const MB = 1024 * 1024;

export const content = {
  plugins: setting(list(text('MODULE', 'the name of a package or the path of a file')), [], {
    help: 'Plugin that reads further kinds of documents: a package or a file; repeatable.',
    example: './my-plugin.js',
    also: ['plugin'],
    aliases: ['extractor', 'extractors', 'parser', 'parsers', 'parse-plugin'],
  }),
  documentTimeout: setting(duration({ min: 100 }), 10_000, {
    help: 'Longest time for reading one document that is not HTML; then it keeps no links.',
    example: '30s',
    aliases: ['parse-timeout', 'plugin-timeout'],
  }),
  documentMemory: setting(size({ min: 32 * MB }), 256 * MB, {
    help: 'Most memory for reading one such document.',
    example: '1gb',
    aliases: ['parse-memory', 'plugin-memory'],
  }),
};
