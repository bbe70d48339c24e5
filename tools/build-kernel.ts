/**
 * Compiles kernel/ into src/page/kernel-code.ts: WebAssembly as text that is part of the sources,
 * so that whoever has those has the kernel, and nothing is read from a disk to run it.
 *
 *   node tools/build-kernel.ts     after a change in kernel/ or in src/page/kernel-layout.ts
 *
 * A test (build-kernel.test.ts) compiles it again and compares.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import asc from 'assemblyscript/asc';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const KERNEL_CODE = join(root, 'src', 'page', 'kernel-code.ts');
const LINE = 96;

const OPTIONS = [
  ...['--runtime', 'stub', '--enable', 'simd', '--noAssert', '--use', 'abort='],
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--converge'],
  ...['--memoryBase', '0x400', '--initialMemory', '208'],
];

/** The source text of kernel-code.ts. */
export async function compileKernel(): Promise<string> {
  let code: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [join('kernel', 'index.ts'), '--baseDir', root, '--outFile', 'kernel.wasm', ...OPTIONS],
    {
      writeFile: (_name, contents) => {
        code = contents as Uint8Array;
      },
    },
  );
  if (error || code === undefined) throw new Error(`kernel: ${stderr.toString()}`);
  return asSource(Buffer.from(code).toString('base64'));
}

function asSource(base64: string): string {
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return [
    '/** kernel/ as WebAssembly, in base64. Written by tools/build-kernel.ts: do not edit. */',
    `export const KERNEL_CODE = \`\n${lines.join('\n')}\n\`;\n`,
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const source = await compileKernel();
  writeFileSync(KERNEL_CODE, source);
  process.stdout.write(`${KERNEL_CODE}: ${source.length} bytes\n`);
}
