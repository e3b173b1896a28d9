import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** One `vite build` makes both bundles. */
export default defineConfig(({ command }) => ({
  appType: 'custom',
  publicDir: 'web/public',
  plugins: [react()],
  css: { transformer: 'lightningcss' },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'dist/web',
        manifest: true,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: 'web/main.tsx',
          // One file compresses better than many, and what comes later finds there what it shares with it.
          output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
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
        rolldownOptions: { input: 'web/entry-server.tsx' },
      },
    },
  },
  build: {
    // What evergreen browsers were two years ago.
    target: ['chrome131', 'edge131', 'firefox132', 'safari18.1'],
  },
}));
