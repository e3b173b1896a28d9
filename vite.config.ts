import react from '@vitejs/plugin-react';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { noBreaks } from './web/lib/no-breaks.ts';

/** Lazy parts are loaded by `web/lib/load-part.ts`, which can retry after a failure. */
const loadParts: Plugin = {
  name: 'load-parts',
  enforce: 'pre',
  resolveId: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => fileURLToPath(new URL('web/lib/load-part.ts', import.meta.url)),
  },
};

/** Our own texts get their non-breaking spaces here; people's texts get them when they are rendered. */
const ownTexts: Plugin = {
  name: 'own-texts',
  // After the compiler, which joins the lines of a text.
  enforce: 'post',
  transform: {
    filter: { id: /\/(client|contract|web)\/.*\.tsx?$/ },
    handler: (code) => ({ code: noBreaks(code), map: null }),
  },
};

// Without groups the build has 70 files, and the first load is 20 of them (docs/decisions/0073).
const groups = [
  { name: 'first', tags: ['$initial' as const] },
  { name: 'page-load-router', test: /\/web\/router\/page-load-router/ },
  // Everybody gets it after the first paint. The pages of those who keep the wall are a file of their own.
  {
    name: 'visitor',
    test: /\/web\/(app\/(?!signed-in)|(router|features\/(live|shortcuts|sign-in|posts\/(?!compose)\w+))\/)/,
  },
  { name: 'signed-in', test: /\/web\/(?!features\/(moderation\/desk|keep|session\/fingerprint))/ },
  { name: 'desk', test: /\/web\/features\/(moderation\/desk|keep)\// },
];

/** One `vite build` makes both bundles. */
export default defineConfig(({ command }) => ({
  appType: 'custom',
  publicDir: 'web/public',
  plugins: [react(), loadParts, ownTexts],
  // The HTML contains the styles: without hashes it is 0.3 kB smaller.
  css: { modules: { generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}` } },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'dist/web',
        manifest: true,
        modulePreload: { polyfill: false, resolveDependencies: (part, files) => [...new Set([part, ...files])] },
        rolldownOptions: { input: 'web/app/main.tsx', output: { codeSplitting: { groups } } },
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
