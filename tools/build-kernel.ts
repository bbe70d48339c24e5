/**
 * Compiles kernel/ into text that is part of the sources, so that whoever has those has the
 * kernels, and nothing is read from a disk to run them.
 *
 *   kernel/index.ts           → src/page/kernel-code.ts
 *   kernel/deflate/index.ts   → src/archive/deflate-code.ts
 *
 *   node tools/build-kernel.ts     after a change in kernel/ or in src/page/kernel-layout.ts
 *
 * A test (build-kernel.test.ts) compiles them again and compares.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import asc from 'assemblyscript/asc';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const LINE = 96;

export interface KernelPart {
  readonly entry: string;
  readonly target: string;
  /** Of the constant that has the code. */
  readonly name: string;
  /** In pages of 64 KB. */
  readonly memory: string;
}

export const KERNEL_PARTS: readonly KernelPart[] = [
  {
    ...{ entry: join('kernel', 'index.ts'), target: join(root, 'src', 'page', 'kernel-code.ts') },
    ...{ name: 'KERNEL_CODE', memory: '208' },
  },
  {
    entry: join('kernel', 'deflate', 'index.ts'),
    target: join(root, 'src', 'archive', 'deflate-code.ts'),
    ...{ name: 'DEFLATE_CODE', memory: '16' },
  },
];

const OPTIONS = [
  ...['--runtime', 'stub', '--enable', 'simd', '--noAssert', '--use', 'abort='],
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--memoryBase', '0x400'],
];

/** The source text of its target. */
export async function compileKernel({ entry, name, memory }: KernelPart): Promise<string> {
  let code: Uint8Array | undefined;
  const files = [entry, '--baseDir', root, '--outFile', 'kernel.wasm'];
  const { error, stderr } = await asc.main([...files, ...OPTIONS, '--initialMemory', memory], {
    writeFile: (_name, contents) => {
      code = contents as Uint8Array;
    },
  });
  if (error || code === undefined) throw new Error(`${entry}: ${stderr.toString()}`);
  return asSource(dirname(entry), name, Buffer.from(code).toString('base64'));
}

function asSource(folder: string, name: string, base64: string): string {
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return [
    `/** ${folder}/ as WebAssembly, in base64. Written by tools/build-kernel.ts: do not edit. */`,
    `export const ${name} = \`\n${lines.join('\n')}\n\`;\n`,
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const part of KERNEL_PARTS) {
    const source = await compileKernel(part);
    writeFileSync(part.target, source);
    process.stdout.write(`${part.target}: ${source.length} bytes\n`);
  }
}
