// Runs on the pinned Node, unlike the scripts beside it: Vite is installed by then and asks for a newer Node than the host's.
import { join } from 'node:path';
import { createBuilder } from 'vite';

const [folder] = process.argv.slice(2);

const builder = await createBuilder({
  logLevel: 'warn',
  environments: {
    client: { build: { outDir: join(folder, 'web') } },
    ssr: { build: { outDir: join(folder, 'ssr') } },
  },
});
await builder.buildApp();
