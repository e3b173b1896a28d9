import vm from 'node:vm';
import { build, type Plugin } from 'vite';

/** Lazy parts of the app arrive after the page has been hydrated, as they do over a network. */
const lateParts: Plugin = {
  name: 'late-parts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/web\/lib\/load-part\.ts$/ },
    handler: () => `export const __vitePreload = (load) => new Promise((done) => setTimeout(done)).then(load);`,
  },
};

let compiled: Promise<() => vm.Script> | undefined;

/** The browser's code as one script without lazy parts, built once per process from the sources. */
export function appScript(): Promise<() => vm.Script> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<() => vm.Script> {
  const result = await build({
    logLevel: 'error',
    plugins: [lateParts],
    environments: {
      client: {
        build: {
          write: false,
          manifest: false,
          minify: false,
          rolldownOptions: { output: { format: 'iife', codeSplitting: false, minify: false } },
        },
      },
    },
  });
  const outputs = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  const [chunk] = outputs.filter((output) => output.type === 'chunk');
  const options = { filename: 'web-app.js' };
  const cachedData = new vm.Script(chunk!.code, options).createCachedData();
  // A script keeps its module state in the context in which it runs, so each window gets a script of its own.
  return () => new vm.Script(chunk!.code, { ...options, cachedData });
}
