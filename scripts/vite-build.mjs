// Runs on the pinned Node, unlike the other scripts, because Vite requires a newer Node than the system may have.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
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
compress(readdirSync(web, { recursive: true }).filter((name) => /\.(css|js|svg|webmanifest)$/.test(name)));

/** Compresses at build time with the highest level, so that the server only selects a file that the browser accepts. */
function compress(names) {
  for (const path of names.map((name) => join(web, name))) {
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
