type Json = unknown;

/**
 * The contract's schemas as the description holds them: those with a title stand once, under their names, and are
 * referred to from everywhere else.
 */
export class NamedSchemas {
  readonly all: Record<string, Json> = {};

  refer(schema: object): Json {
    const { title } = schema as { title?: unknown };
    if (typeof title !== 'string') return this.#copy(schema);
    this.all[title] ??= this.#copy(schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  #copy(value: object): Json {
    if (Array.isArray(value)) return value.map((item) => this.#inside(item));
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, this.#inside(inside)]));
  }

  #inside = (value: Json): Json => (typeof value === 'object' && value !== null ? this.refer(value) : value);
}
