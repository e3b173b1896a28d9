import { apiPrefix, commonCodes, type Endpoint } from '#contract/endpoint.ts';
import { errors, type ErrorCode } from '#contract/errors.ts';
import { table } from '#contract/table.ts';

interface ObjectSchema {
  properties?: Record<string, object>;
  required?: string[];
}

interface Described {
  appName: string;
  publicUrl: string;
  /** Name of the session cookie. */
  sessionCookie: string;
}

/** Error codes that the access to a call implies. */
const codesOf: Record<Endpoint['access'], readonly ErrorCode[]> = {
  public: [],
  user: ['UNAUTHORIZED', 'FORBIDDEN', 'ACCOUNT_BLOCKED'],
  cookie: ['UNAUTHORIZED', 'FORBIDDEN', 'ACCOUNT_BLOCKED'],
  moderator: ['NOT_FOUND', 'FORBIDDEN'],
};
/** Statuses that carry a Retry-After header. */
const waitStatuses = [429, 503];
const eventStream = {
  type: 'string',
  description: 'События text/event-stream: data каждого — Changes в JSON, id — position.',
};

/** The OpenAPI description of the contract. */
export function openApi({ appName, publicUrl, sessionCookie }: Described): object {
  const schemas = new NamedSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const row of table) {
    (paths[apiPrefix + row.endpoint.path] ??= {})[row.endpoint.method.toLowerCase()] = operation(row, schemas);
  }
  return {
    openapi: '3.1.0',
    info: { title: appName, version: '1' },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { ...schemas.all, Error: errorSchema },
      headers: {
        RetryAfter: { description: 'Через сколько секунд повторить.', schema: { type: 'integer', minimum: 0 } },
        SetCookie: { description: `Cookie сеанса ${sessionCookie}.`, schema: { type: 'string' } },
      },
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer' },
        sessionCookie: { type: 'apiKey', in: 'cookie', name: sessionCookie },
      },
    },
  };
}

const errorSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { enum: Object.keys(errors) }, message: { type: 'string' } },
};

const json = (schema: unknown): object => ({ 'application/json': { schema } });

function operation({ area, name, endpoint, schemas: parts }: (typeof table)[number], schemas: NamedSchemas): object {
  const { status, setsCookie, streams, summary } = endpoint;
  return {
    operationId: name,
    tags: [area],
    summary,
    security: securityOf(endpoint),
    parameters: [
      ...parameters('path', parts.params),
      ...parameters('query', parts.query),
      ...parameters('header', parts.headers),
    ],
    ...(parts.body && { requestBody: { required: true, content: json(schemas.refer(parts.body)) } }),
    responses: {
      [status]: {
        description: summary,
        ...(setsCookie && { headers: { 'Set-Cookie': { $ref: '#/components/headers/SetCookie' } } }),
        ...(parts.reply && {
          content: {
            ...json(schemas.refer(parts.reply)),
            ...(streams && { 'text/event-stream': { schema: eventStream } }),
          },
        }),
      },
      ...failures(endpoint, parts.body !== undefined),
    },
  };
}

/** Public reads accept a token too: the response then includes the viewer's likes. */
function securityOf({ access, method }: Endpoint): object[] {
  if (access === 'user' || access === 'moderator') return [{ accessToken: [] }];
  if (access === 'cookie') return [{ sessionCookie: [] }];
  return method === 'GET' ? [{}, { accessToken: [] }] : [];
}

function parameters(place: 'path' | 'query' | 'header', schema: ObjectSchema | undefined): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name: place === 'header' ? headerName(name) : name,
    in: place,
    required: schema?.required?.includes(name) ?? false,
    // In addresses, numbers are strings of digits.
    schema: 'contentSchema' in property ? property.contentSchema : property,
  }));
}

/** The usual spelling, because header names in Node are in lower case. */
const headerName = (name: string): string =>
  name.replace(/-id$/, '-ID').replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());

function failures(endpoint: Endpoint, hasBody: boolean): Record<string, object> {
  const codes = new Set<ErrorCode>([
    ...commonCodes,
    ...(hasBody ? (['PAYLOAD_TOO_LARGE'] as const) : []),
    ...codesOf[endpoint.access],
    ...endpoint.codes,
  ]);
  const byStatus = Map.groupBy(codes, (code) => endpoint.statuses?.[code] ?? errors[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      status,
      {
        description: of.join(', '),
        ...(waitStatuses.includes(status) && {
          headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
        }),
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  );
}

/** Collects the contract's schemas. A schema with a title is stored once, under that name, and referenced elsewhere. */
class NamedSchemas {
  readonly all: Record<string, unknown> = {};

  refer(schema: object): unknown {
    const { title, $ref, $defs } = schema as { title?: unknown; $ref?: unknown; $defs?: object };
    if (typeof $ref === 'string') {
      // A schema that contains itself: it is defined beside the reference, and refers to itself by its name.
      for (const defined of Object.values($defs ?? {})) this.refer(defined as object);
      return { $ref: `#/components/schemas/${$ref}` };
    }
    if (typeof title !== 'string') return this.#copy(schema);
    this.all[title] ??= this.#copy(schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  #copy(value: object): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#inside(item));
    const named = Object.entries(value).filter(([key]) => key !== '$id');
    return Object.fromEntries(named.map(([key, inside]) => [key, this.#inside(inside)]));
  }

  #inside = (value: unknown): unknown => (typeof value === 'object' && value !== null ? this.refer(value) : value);
}
