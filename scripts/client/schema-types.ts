/** The part of JSON Schema that the contract uses. */
interface Schema {
  title?: string;
  description?: string;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  /** A tuple has a list. */
  items?: Schema | readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

const simple: Record<string, string> = { string: 'string', integer: 'number', boolean: 'boolean', null: 'null' };

/** Writes schemas as TypeScript. A schema with a title becomes an interface of this name. */
export class SchemaTypes {
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
    const { type = '', anyOf, items, properties, required = [] } = schema;
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
    if ('patternProperties' in schema) return 'Record<string, unknown>';
    const found = simple[type];
    if (!found) throw new Error(`No type for ${JSON.stringify(schema)}`);
    return found;
  }
}
