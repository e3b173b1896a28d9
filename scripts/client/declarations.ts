import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '#contract/table.ts';
import { SchemaTypes } from './schema-types.ts';

const root = join(import.meta.dirname, '../..');

/** The modules whose declarations are part of the package, in the order of their imports. */
const declared = ['contract/errors', 'contract/endpoint', 'client/api-error', 'client/create-client'];

/**
 * The type declarations of the package: those of the client, and the calls with types that are made from the schemas, so
 * that the package does not depend on TypeBox. The compiler writes into the folder.
 */
export function declarations(folder: string): string {
  const types = new SchemaTypes();
  const calls = table.map(({ name, summary, schemas }) => {
    const parts = Object.entries(schemas).map(([part, schema]) => `  ${part}: ${types.of(schema, '  ')};\n`);
    return `/** ${summary} */\nexport declare const ${name}: Endpoint<{\n${parts.join('')}}>;\n`;
  });
  return [...clientDeclarations(folder), 'export { ApiError, createClient };\n', ...types.interfaces(), ...calls].join(
    '\n',
  );
}

function clientDeclarations(folder: string): string[] {
  const sources = declared.map((module) => join(root, `${module}.ts`));
  const options = ['--declaration', '--emitDeclarationOnly', '--stripInternal', '--noEmit', 'false'];
  const places = ['--rootDir', root, '--outDir', folder];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '--ignoreConfig', ...compilerOptions, ...options, ...places, ...sources], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return declared.map((module) =>
    readFileSync(join(folder, `${module}.d.ts`), 'utf8')
      .replaceAll(/^import .*\n|^export \{\};\n/gm, '')
      // The package has only the values that its entry exports.
      .replaceAll(/^export declare /gm, 'declare '),
  );
}

const compilerOptions = [
  '--strict',
  '--skipLibCheck',
  '--allowImportingTsExtensions',
  '--module',
  'nodenext',
  '--target',
  'esnext',
  '--types',
  '',
];
