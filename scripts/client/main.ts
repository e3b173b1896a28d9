// npm run client [-- VERSION [FOLDER]]
import { readFileSync } from 'node:fs';
import { packClient } from './pack-client.ts';

const own = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const [version = own.version, out = 'release'] = process.argv.slice(2);
console.log(await packClient(version, out));
