// Runs on the pinned Node, unlike the scripts that npm starts, because Vite requires a newer Node than the system may have.
import { createHash } from 'node:crypto';
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
    hiddenWords: { build: { outDir: web, emptyOutDir: false } },
    archive: { build: { outDir: join(folder, 'archive'), emptyOutDir: true } },
    ssr: { build: { outDir: join(folder, 'ssr'), emptyOutDir: true } },
  },
});
await builder.buildApp();
partStylesOfPosts();
compress(readdirSync(web, { recursive: true }).filter((name) => /\.(css|js|svg|webmanifest)$/.test(name)));

/**
 * Moves the rules of posts from the style sheet of the first load into another file, so that the HTML of a page with forms
 * does not contain them. The classes of posts begin with a capital letter.
 */
function partStylesOfPosts() {
  const manifestFile = join(web, '.vite/manifest.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry);
  const [first] = entry.css;
  const rules = topLevelRules(readFileSync(join(web, first), 'utf8'));
  const isOfPosts = (rule) => /^[^{@]*\.[A-Z]/.test(rule);
  const posts = rules.filter(isOfPosts).join('');
  const name = `assets/posts-${createHash('sha256').update(posts).digest('base64url').slice(0, 8)}.css`;
  writeFileSync(join(web, first), rules.filter((rule) => !isOfPosts(rule)).join(''));
  writeFileSync(join(web, name), posts);
  entry.css.push(name);
  writeFileSync(manifestFile, JSON.stringify(manifest, null, 2));
}

/** Splits a style sheet into its top-level rules. No string in the styles contains a brace. */
function topLevelRules(css) {
  const rules = [];
  let [depth, start] = [0, 0];
  for (const { 0: sign, index } of css.matchAll(/[{};]/g)) {
    if (sign !== ';') depth += sign === '{' ? 1 : -1;
    if (depth > 0 || sign === '{') continue;
    rules.push(css.slice(start, index + 1));
    start = index + 1;
  }
  return rules;
}

/** Compresses files with the highest level, so that the server only selects a file that the browser accepts. */
function compress(names) {
  for (const path of names.map((name) => join(web, name))) {
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
