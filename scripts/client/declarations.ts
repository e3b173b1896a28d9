import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from '#contract/call.ts';
import { calls } from '#contract/calls.ts';
import type { CallTypes } from '#contract/endpoint.ts';

/** The part of JSON Schema that the contract uses. */
interface Schema {
  title?: string;
  description?: string;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  /** A list for a tuple. */
  items?: Schema | readonly Schema[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: readonly string[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

const simple: Record<string, string> = { string: 'string', integer: 'number', boolean: 'boolean', null: 'null' };

/** Writes schemas as TypeScript. A schema with a title becomes an interface of this name. */
class SchemaTypes {
  #named = new Map<string, string>();

  of(schema: Schema, indent = ''): string {
    const { title, $ref, $defs = {} } = schema;
    // A schema that contains itself is defined beside the reference.
    for (const defined of Object.values($defs)) this.of(defined);
    if ($ref) return $ref;
    if (!title) return this.#plain(schema, indent);
    if (!this.#named.has(title)) {
      this.#named.set(title, '');
      this.#named.set(title, this.#plain(schema, ''));
    }
    return title;
  }

  interfaces(): string[] {
    return [...this.#named].map(([name, type]) => `export interface ${name} ${type}\n`);
  }

  #plain(schema: Schema, indent: string): string {
    const { type = '', anyOf, items, properties, patternProperties, required = [] } = schema;
    if ('const' in schema) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (anyOf) return anyOf.map((one) => this.of(one, indent)).join(' | ');
    if (Array.isArray(items)) return `[${items.map((item) => this.of(item, indent)).join(', ')}]`;
    if (items) return `Array<${this.of(items as Schema, indent)}>`;
    if (properties) {
      const lines = Object.entries(properties).map(([name, property]) => {
        const comment = property.description ? `${indent}  /** ${property.description} */\n` : '';
        const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
        return `${comment}${indent}  ${key}${required.includes(name) ? '' : '?'}: ${this.of(property, `${indent}  `)};\n`;
      });
      return `{\n${lines.join('')}${indent}}`;
    }
    if (patternProperties) {
      const [value] = Object.values(patternProperties);
      return `Record<string, ${value?.type === undefined ? 'unknown' : this.of(value, indent)}>`;
    }
    const found = simple[type];
    if (!found) throw new Error(`No type for ${JSON.stringify(schema)}`);
    return found;
  }
}

const root = join(import.meta.dirname, '../..');

/** The modules whose declarations are part of the package, in the order of their imports. */
const declared = ['contract/errors', 'contract/endpoint', 'client/api-error', 'client/create-client'];

const parts = ['params', 'query', 'body', 'headers', 'reply', 'accepted'] as const satisfies ReadonlyArray<
  keyof CallTypes
>;

/**
 * The type declarations of the package: those of the client, and the types of the calls, which are made from the schemas so that
 * the package does not depend on TypeBox. The compiler writes into `folder`.
 */
export function declarations(folder: string): string {
  const types = new SchemaTypes();
  const table = Object.entries<Call>(calls).map(([key, call]) => {
    const lines = parts.flatMap((part) => (call[part] ? `    ${part}: ${types.of(call[part], '    ')};\n` : []));
    return `  /** ${call.says} */\n  '${key}': {\n${lines.join('')}  };\n`;
  });
  return [
    ...clientDeclarations(folder),
    'export { ApiError, createClient };\n',
    ...types.interfaces(),
    `/** The calls by method and path, with the types of what they send and get. */\nexport interface Calls {\n${table.join('')}}\n`,
    'export type CallEndpoint = CallerOf<Calls>;\n',
  ].join('\n');
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
