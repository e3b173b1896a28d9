import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { noBreaks } from './web/lib/no-breaks.ts';

/** Lazy parts are loaded by `web/lib/load-part.ts`, which can retry after a failure. */
const loadParts: Plugin = {
  name: 'load-parts',
  apply: 'build',
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

/** One `vite build` makes both bundles. */
export default defineConfig(({ command }) => ({
  appType: 'custom',
  publicDir: 'web/public',
  plugins: [react(), loadParts, ownTexts],
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'dist/web',
        manifest: true,
        modulePreload: { polyfill: false, resolveDependencies: (part, files) => [...new Set([part, ...files])] },
        rolldownOptions: {
          input: 'web/app/main.tsx',
          // One file compresses better than several, and lazy parts import shared modules from it.
          output: {
            // Reading a property has no effect that the app relies on.
            minify: { compress: { treeshake: { propertyReadSideEffects: false } } },
            codeSplitting: {
              groups: [
                { name: 'first', tags: ['$initial'] },
                // Small modules that visitors and signed-in people share; no page waits for the file of the other.
                {
                  name: 'shared',
                  test: /\/(was-changed-after|walk-siblings|random-key)\.ts$|\/sign-in\/.*\.tsx?$|\/contract\/documents\.ts$/,
                },
                // One stylesheet for everything that is loaded later. What the first HTML of a page contains stays apart.
                { name: 'styles', test: /^(?!.*\/(thread|search|documents|pinned|desk)\/).*\.module\.css$/ },
                // The name of each file is in the first load, so what is loaded after the first paint is one file.
                {
                  name: 'live',
                  test: /\/(start-live|copy-text|list-pills|windowed-posts|returned-posts|undo-deletion|new-pill|pills|store-updates|thread-updates|load-branch|load-down-to|act-on|post-menu)\.tsx?$|\/features\/reading\//,
                },
                // The same for what only signed-in people need.
                {
                  name: 'signed-in',
                  test: /-page\.tsx$|\/(settings-list|notifications-list|open-desk|mutes-sync|name-offer|removed-posts)\.tsx?$/,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // The bundle contains the production build of React; the dev server loads React from node_modules.
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
    // The browser versions of November 2024.
    target: ['chrome131', 'edge131', 'firefox132', 'safari18.1'],
  },
}));
