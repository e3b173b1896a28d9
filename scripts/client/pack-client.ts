import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { declarations } from './declarations.ts';

const root = join(import.meta.dirname, '../..');

/** Makes the package of the client for `npm install` and `npm publish`; returns its file. */
export async function packClient(out: string): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'stena-client-'));
  const folder = join(work, 'package');
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'warn',
      build: {
        lib: { entry: 'client/index.ts', formats: ['es'], fileName: 'index' },
        outDir: folder,
        emptyOutDir: true,
        copyPublicDir: false,
        minify: false,
        target: 'es2022',
      },
    });
    writeFileSync(join(folder, 'index.d.ts'), declarations(join(work, 'declarations')));
    for (const name of ['package.json', 'README.md']) copyFileSync(join(root, 'client', name), join(folder, name));
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    // The package contains the modes of files, which should not depend on the umask of the builder.
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    mkdirSync(out, { recursive: true });
    const args = ['pack', '--silent', '--pack-destination', resolve(out)];
    const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return join(out, name.trim());
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

// npm run client [-- FOLDER]
if (import.meta.main) console.log(await packClient(process.argv[2] ?? 'release'));
