import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';

/**
 * Left to itself the bundler cuts what later parts share out of what comes first: into many small files, which compress
 * worse, and into others with every new import [90.8 kB of scripts before reading, 88.3 in one file].
 */
const firstLoadInOneFile: Rolldown.CodeSplittingGroup = {
  debugName: 'first load',
  name: (id, modules) => (comesFirst(id, modules) ? 'main' : null),
};

function comesFirst(id: string, modules: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const module = modules.getModuleInfo(id);
  return module !== null && (module.isEntry || module.importers.some((by) => comesFirst(by, modules, seen)));
}

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
          output: { codeSplitting: { groups: [firstLoadInOneFile] } },
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
