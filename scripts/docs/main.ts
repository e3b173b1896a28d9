import { parseArgs } from 'node:util';
import { writeSite } from './write-site.ts';

const { out } = parseArgs({ options: { out: { type: 'string', default: 'dist/docs' } } }).values;
await writeSite(out);
console.log(`Готово: ${out}/index.html`);
