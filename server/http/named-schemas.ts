/** A JSON schema, as far as the descriptions of the contract read it. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  items?: Schema;
  prefixItems?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** Collects the contract's schemas. A schema with a title is stored once, under that name, and referenced elsewhere. */
export class NamedSchemas {
  readonly all: Record<string, Schema> = {};

  refer(schema: object): Schema {
    const { title, $ref, $defs } = schema as { title?: unknown; $ref?: unknown; $defs?: object };
    if (typeof $ref === 'string') {
      // A schema that contains itself: it is defined beside the reference, and refers to itself by its name.
      for (const defined of Object.values($defs ?? {})) this.refer(defined as object);
      return { $ref: `#/components/schemas/${$ref}` };
    }
    if (typeof title !== 'string') return this.#copy(schema) as Schema;
    this.all[title] ??= this.#copy(schema) as Schema;
    return { $ref: `#/components/schemas/${title}` };
  }

  #copy(value: object): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#inside(item));
    const named = Object.entries(asPublished(value)).filter(([key]) => key !== '$id');
    return Object.fromEntries(named.map(([key, inside]) => [key, this.#inside(inside)]));
  }

  #inside = (value: unknown): unknown => (typeof value === 'object' && value !== null ? this.refer(value) : value);
}

/** A tuple as JSON Schema 2020-12 writes it, on which OpenAPI 3.1 is based; requests are validated by an older draft. */
function asPublished(schema: { items?: unknown; additionalItems?: unknown }): object {
  const { additionalItems, items, ...others } = schema;
  return Array.isArray(items) ? { ...others, prefixItems: items, items: additionalItems } : schema;
}
