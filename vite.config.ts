import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { noBreaks } from './web/lib/no-breaks.ts';

/** Parts that come later are loaded by `web/lib/load-part.ts`, which can try again after a failure. */
const loadParts: Plugin = {
  name: 'load-parts',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => fileURLToPath(new URL('web/lib/load-part.ts', import.meta.url)),
  },
};

/** The browser does not need what only the server and the published description of the contract use. */
const callsAlone: Plugin = {
  name: 'calls-alone',
  apply: 'build',
  // Lines of the sources: later the last of them has no comma.
  enforce: 'pre',
  transform: {
    filter: { id: /\/contract\/\w+\.ts$/ },
    handler: (code) => ({ code: code.replaceAll(/^  (summary|status|setsCookie|codes): .*,$/gm, ''), map: null }),
  },
};

/** Our own texts get their non-breaking spaces here; people's texts get them when they are rendered. */
const ownTexts: Plugin = {
  name: 'own-texts',
  // After the compiler, which joins the lines of a text.
  enforce: 'post',
  transform: {
    filter: { id: /\/(contract|web)\/.*\.tsx?$/ },
    handler: (code) => ({ code: noBreaks(code), map: null }),
  },
};

/** One `vite build` makes both bundles. */
export default defineConfig(({ command }) => ({
  appType: 'custom',
  publicDir: 'web/public',
  plugins: [react(), loadParts, callsAlone, ownTexts],
  css: { transformer: 'lightningcss' },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'dist/web',
        manifest: true,
        modulePreload: { polyfill: false, resolveDependencies: (part, files) => [...new Set([part, ...files])] },
        rolldownOptions: {
          input: 'web/app/main.tsx',
          // One file compresses better than many, and what comes later finds there what it shares with it.
          output: {
            codeSplitting: {
              groups: [
                { name: 'first', tags: ['$initial'] },
                // Signing in must not load what follows it, though both share code.
                { name: 'sign-in-part', test: /\/sign-in-part\.ts$/ },
                // All pages for signed-in people together: one request, and one file to name in the first load.
                { name: 'signed-in', test: /-page\.tsx$|\/(settings|notifications)-list\.tsx$/ },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // React goes into the bundle, in its production form alone; the dev server loads it from node_modules.
      ...(command === 'build' && {
        resolve: { noExternal: true },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
      build: {
        outDir: 'dist/ssr',
        copyPublicDir: false,
        rolldownOptions: { input: 'web/app/entry-server.tsx' },
      },
    },
  },
  build: {
    // What evergreen browsers were two years ago.
    target: ['chrome131', 'edge131', 'firefox132', 'safari18.1'],
  },
}));
