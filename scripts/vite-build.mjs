// Runs on the pinned Node, unlike the other scripts, because Vite requires a newer Node than the system may have.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { minify } from 'terser';
import { createBuilder } from 'vite';

const [folder] = process.argv.slice(2);
const web = join(folder, 'web');

const builder = await createBuilder({
  logLevel: 'warn',
  environments: {
    client: { build: { outDir: web, emptyOutDir: true } },
    ssr: { build: { outDir: join(folder, 'ssr'), emptyOutDir: true } },
  },
});
await builder.buildApp();
await shrink(readdirSync(join(web, 'assets')).filter((name) => name.endsWith('.js')));
compress(readdirSync(web, { recursive: true }).filter((name) => /\.(css|js|svg|webmanifest)$/.test(name)));

/** Minifies the scripts once more: what Terser finds after Vite's minifier is 1 kB of the first load in brotli. */
async function shrink(names) {
  for (const path of names.map((name) => join(web, 'assets', name))) {
    const { code } = await minify(readFileSync(path, 'utf8'), { module: true, ecma: 2022, compress: { passes: 3 } });
    writeFileSync(path, code);
  }
}

/** Compresses at build time with the highest level, so that the server only selects a file that the browser accepts. */
function compress(names) {
  for (const path of names.map((name) => join(web, name))) {
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
