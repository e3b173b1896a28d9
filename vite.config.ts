import react from '@vitejs/plugin-react';
import { globSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/** Lazy parts are loaded by `web/lib/load-part.ts`, which can retry after a failure. */
const loadParts: Plugin = {
  name: 'load-parts',
  enforce: 'pre',
  resolveId: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => fileURLToPath(new URL('web/lib/load-part.ts', import.meta.url)),
  },
};

/** The messages of React's errors contain an address. The file of a carried wall is to contain no address but the wall's. */
const withoutAddresses: Plugin = {
  name: 'without-addresses',
  applyToEnvironment: ({ name }) => name === 'archive',
  renderChunk: (code) => code.replaceAll('https://react.dev/', 'react.dev/'),
};

// Without groups the build has 70 files, and the first load is 20 of them (docs/decisions/0023). Tests find the files by the names of the
// groups, in test/e2e/support/code-files.ts.
const groups = [
  { name: 'first', tags: ['$initial' as const] },
  { name: 'page-load-router', test: /\/web\/router\/page-load-router/ },
  // Everybody gets it after the first paint. The pages of those who keep the wall are a file of their own.
  {
    name: 'visitor',
    test: /\/web\/(app\/(?!signed-in)|(router|features\/(live|search|shortcuts|posts\/(?!compose)\w+))\/)/,
  },
  // The styles of fields. The HTML of lists has none: ten posts are to fit into the first flight of TCP.
  { name: 'fields', test: /\/web\/ui\/(text-|switch|check-box|radio-group).*css/ },
  // The pages made for one visitor or person: their HTML has these styles, and for one person also those of another group.
  {
    name: 'forms',
    test: /\/web\/(forms|features\/sign-in|pages\/(open\/(?!writing|join)|page-host|sign-in-needed|use-send|handed-steps)|ui)/,
  },
  { name: 'names', test: /\/web\/features\/account\/name-/ },
  { name: 'join', test: /\/web\/pages\/open\/join/ },
  {
    name: 'settings',
    test: /\/web\/(pages\/((settings|post-forms)\/|open\/writing|own\/deleted)|features\/posts\/compose\/(mention-|replied-))/,
  },
  {
    name: 'lists',
    test: /\/web\/(pages\/own|features\/(notifications\/(?!letters)|moderation\/removed-|posts\/compose\/(deleted|pending)-))/,
  },
  {
    name: 'signed-in',
    test: /\/web\/(?!features\/(moderation\/keeper-|mail-state|session\/fingerprint)|pages\/(desk|wall)\/)/,
  },
  // The HTML of the pages of keepers has these styles, that of the owners' pages those of both.
  { name: 'desk', test: /\/web\/(features\/(moderation\/keeper-|mail-state\/)|pages\/desk\/)/ },
  { name: 'wall', test: /\/web\/pages\/wall\// },
];

const classesIn = (file: string): string[] => [
  ...new Set(
    readFileSync(file, 'utf8')
      .matchAll(/\.([a-z]\w*)/gi)
      .map(([, name]) => `${file} ${name}`),
  ),
];

/** What only lists and discussions need. The pages of forms get it after the first paint. */
const stylesOfPosts =
  /^web\/(features\/posts\/(list|pinned|thread|card\/(post-(actions|card|time)|write-field))|pages\/(sign|user)\.)/;

/**
 * A name of two letters for each class of a style sheet: the HTML contains the styles, and has each name twice. Always the
 * same, for both bundles. Those of posts begin with a capital letter, by which the build finds their rules.
 */
function shortNames(): (name: string, file: string) => string {
  const small = 'abcdefghijklmnopqrstuvwxyz';
  const letters = small + small.toUpperCase();
  const files = globSync('web/**/*.module.css').toSorted();
  const [ofPosts, others] = [true, false].map((isMeant) =>
    files.filter((file) => stylesOfPosts.test(file) === isMeant).flatMap(classesIn),
  );
  const named = (classes: string[], first: string) =>
    classes.map((key, i) => [key, first[Math.floor(i / 52)]! + letters[i % 52]!] as const);
  const short = new Map([...named(ofPosts!, small.toUpperCase()), ...named(others!, small)]);
  // An animation has no class.
  return (name, file) => short.get(`${relative('.', file)} ${name}`) ?? longName(name, file);
}

const longName = (name: string, file: string): string => `${basename(file, '.module.css')}-${name}`;

/** One `vite build` makes all bundles. */
export default defineConfig(({ command }) => ({
  appType: 'custom',
  publicDir: 'web/public',
  plugins: [react(), loadParts, withoutAddresses],
  css: { modules: { generateScopedName: command === 'build' ? shortNames() : longName } },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'dist/web',
        manifest: true,
        modulePreload: { polyfill: false, resolveDependencies: (part, files) => [...new Set([part, ...files])] },
        rolldownOptions: {
          input: 'web/app/main.tsx',
          // The first file has the names of all others. With seven hexadecimal digits of a hash it is smaller.
          output: {
            hashCharacters: 'hex',
            codeSplitting: { groups },
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            assetFileNames: 'assets/[name]-[hash:7][extname]',
          },
        },
      },
    },
    // A classic script, because the parser waits for no module.
    hiddenWords: {
      consumer: 'client',
      build: {
        outDir: 'dist/web',
        copyPublicDir: false,
        manifest: '.vite/hidden-words.json',
        rolldownOptions: {
          input: 'web/features/mutes/hidden-words.ts',
          output: { format: 'iife', entryFileNames: 'assets/[name]-[hash].js' },
        },
      },
    },
    // The file of a carried wall contains the script and the styles.
    archive: {
      consumer: 'client',
      build: {
        outDir: 'dist/archive',
        copyPublicDir: false,
        cssCodeSplit: false,
        modulePreload: false,
        rolldownOptions: {
          input: 'web/archive/main.tsx',
          output: { format: 'iife', entryFileNames: 'archive.js', assetFileNames: 'archive[extname]' },
        },
      },
    },
    ssr: {
      // The bundle contains the production build of React; the dev server loads React from node_modules.
      ...(command === 'build' && {
        resolve: { noExternal: true },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
      build: { outDir: 'dist/ssr', copyPublicDir: false, rolldownOptions: { input: 'web/app/entry-server.tsx' } },
    },
  },
  // The browser versions of November 2024.
  build: { target: ['chrome131', 'edge131', 'firefox132', 'safari18.1'] },
}));
