import { type Access, type Call, commonCodes, isForKeepers, statusOf } from '#contract/call.ts';
import { areas, type CallRow, callTable } from '#contract/calls.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';

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
class NamedSchemas {
  readonly all: Record<string, Schema> = {};

  refer(schema: object): Schema {
    const { title, $ref, $defs } = schema as { title?: unknown; $ref?: unknown; $defs?: object };
    if (typeof $ref === 'string') {
      // A schema that contains itself is defined in `$defs` beside the reference, and refers to itself by name.
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

/** Converts a tuple to JSON Schema 2020-12, which OpenAPI 3.1 uses. The contract writes tuples for the draft that validates requests. */
function asPublished(schema: { items?: unknown; additionalItems?: unknown }): object {
  const { additionalItems, items, ...others } = schema;
  return Array.isArray(items) ? { ...others, prefixItems: items, items: additionalItems } : schema;
}

interface ObjectSchema {
  properties?: Record<string, object>;
  required?: string[];
}

interface Described {
  appName: string;
  /** A `mailto:` or `https:` URL. */
  contact: string;
  publicUrl: string;
  sessionCookie: string;
  /** By the name of a call, a sentence about how often a person may make the call. */
  limits: Readonly<Record<string, string>>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

interface Content {
  'application/json': { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
}

interface Response {
  description: string;
  headers?: Record<string, object>;
  content?: Content;
  links?: Record<string, object>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: object[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
}

export interface OpenApi {
  openapi: '3.1.0';
  info: object;
  servers: object[];
  tags: object[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; headers: object; securitySchemes: object };
}

const whoMay: Record<Access, string> = {
  public: 'Для всех.',
  user: 'Для вошедших.',
  cookie: 'Вместо токена — cookie сеанса.',
  moderator: 'Для модераторов и владельцев стены; для всех остальных такого вызова нет.',
  owner: 'Для владельцев стены; для всех остальных такого вызова нет.',
};
/** Error codes that the guard of every call implies. */
const guardCodes = ['UNAUTHORIZED', 'FORBIDDEN', 'ACCOUNT_BLOCKED'] as const;
const keeperGuardCodes = ['UNAUTHORIZED', 'NOT_FOUND', 'FORBIDDEN'] as const;
/** Statuses that carry a Retry-After header. */
const waitStatuses = [429, 503];
const eventStream = {
  type: 'string',
  description: 'События text/event-stream: data каждого — Changes в JSON, id — position.',
};
const idempotencyKey = {
  name: 'Idempotency-Key',
  description: 'Повтор с тем же ключом в течение суток ничего не пишет: в ответе то же, что в первый раз.',
};

export function openApi({ appName, contact, publicUrl, sessionCookie, limits }: Described): OpenApi {
  const schemas = new NamedSchemas();
  const paths: OpenApi['paths'] = {};
  for (const row of callTable) {
    const path = (paths[apiPrefix + row.path] ??= {});
    path[row.method.toLowerCase()] = operation(row, schemas, limits[row.name]);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: appName,
      version: '1',
      description: 'Вызовы стены коротких записей: JSON в обе стороны, время в секундах Unix, номера — строки.',
      ...contactOf(contact),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: areas.map(({ name, title, about }) => ({ name, description: `${title}. ${about}` })),
    paths,
    components: {
      schemas: { ...schemas.all, Error: errorSchema },
      headers: {
        RetryAfter: { description: 'Через сколько секунд повторить.', schema: { type: 'integer', minimum: 0 } },
        SetCookie: { description: `Cookie сеанса ${sessionCookie}.`, schema: { type: 'string' } },
      },
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', description: 'Токен вошедшего: Authorization: Bearer …' },
        // Scopes of OpenAPI belong to OAuth, so a token of each scope is a scheme.
        readToken: apiToken('Токен для программ с правом read или write'),
        writeToken: apiToken('Токен для программ с правом write'),
        sessionCookie: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'Cookie сеанса браузера.' },
      },
    },
  };
}

const apiToken = (what: string) => ({
  type: 'http',
  scheme: 'bearer',
  description: `${what}: создаётся в настройках, начинается с stena_.`,
});

/** The contact, if it is an address: without settings it may be a mailbox at a host without a dot, which validators refuse. */
function contactOf(contact: string): { contact?: object } {
  const email = contact.startsWith('mailto:') ? contact.slice('mailto:'.length) : undefined;
  if (email === undefined) return URL.canParse(contact) ? { contact: { url: contact } } : {};
  return /^[!-~]+@[\w-]+(\.[\w-]+)+$/.test(email) ? { contact: { email } } : {};
}

const errorSchema: Schema = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { enum: Object.keys(errors) },
    message: { type: 'string', description: 'Что произошло и что делать, для показа человеку.' },
  },
};

const json = (schema: Schema, example: unknown): Content => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

function operation(row: CallRow, schemas: NamedSchemas, limit = ''): Operation {
  const { says: summary, example, body, reply, accepted } = row;
  const ok: Response = { description: summary };
  if (row.setsCookie) ok.headers = { 'Set-Cookie': { $ref: '#/components/headers/SetCookie' } };
  if (reply) {
    const stream = row.streams && { 'text/event-stream': { schema: eventStream } };
    ok.content = { ...json(schemas.refer(reply), example.reply), ...stream };
  }
  const links = linksOf(row);
  if (links.length > 0) ok.links = Object.fromEntries(links);
  const later = accepted && {
    202: { description: 'Принято: подействует позже', content: json(schemas.refer(accepted), example.accepted) },
  };
  return {
    operationId: row.name,
    tags: [row.area],
    summary,
    description: [whoMay[row.access], limit].join(' ').trim(),
    security: securityOf(row),
    parameters: [
      ...parameters('path', row.params, example.params),
      ...parameters('query', row.query, example.query),
      ...parameters('header', row.headers),
    ],
    ...(body && {
      requestBody: { required: !('anyOf' in body), content: json(schemas.refer(body), example.body) },
    }),
    responses: { [statusOf(row)]: ok, ...later, ...failures(row) },
  };
}

/**
 * Links to the calls that take the id of the thing that a call has made. Their paths begin with the call's path, or with the path
 * of a GET call that has the same reply: `POST /posts/{id}/replies` makes a post, so calls below `/posts/{id}` are linked.
 */
function linksOf({ path, method, reply }: CallRow): [string, object][] {
  if ((method !== 'POST' && method !== 'PUT') || !(reply as ObjectSchema)?.properties?.['id']) return [];
  const things = [
    `${path}/{id}`,
    ...callTable.filter((row) => row.method === 'GET' && row.reply === reply).map((row) => row.path),
  ];
  return callTable
    .filter((row) => !isForKeepers(row.access) && row.path.indexOf('{') === row.path.lastIndexOf('{'))
    .filter((row) => things.some((thing) => row.path === thing || row.path.startsWith(`${thing}/`)))
    .map(({ name }) => [name, { operationId: name, parameters: { id: '$response.body#/id' } }]);
}

/** Public reads also accept a token. The response then includes the viewer's likes. */
function securityOf({ access, method, scope }: CallRow): object[] {
  const token = scope ? [{ [`${scope}Token`]: [] }] : [];
  if (access === 'user' || isForKeepers(access)) return [{ accessToken: [] }, ...token];
  if (access === 'cookie') return [{ sessionCookie: [] }];
  return method === 'GET' ? [{}, { accessToken: [] }, ...token] : [];
}

function parameters(place: Parameter['in'], schema: ObjectSchema | undefined, examples: unknown = {}): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    // In addresses numbers are strings of digits, so the published schema is the one of their content.
    const of = ('contentSchema' in property ? property.contentSchema : property) as Schema;
    const example = (examples as Record<string, string>)[name];
    return {
      ...(place === 'header' ? inHeader(name) : { name }),
      in: place,
      required: schema?.required?.includes(name) ?? false,
      schema: of,
      ...(example !== undefined && { example: of.type === 'integer' ? Number(example) : example }),
    };
  });
}

/** The name of a header in its usual spelling. Names of headers are in lower case in Node. */
const inHeader = (name: string): { name: string; description?: string } =>
  name === 'idempotency-key'
    ? idempotencyKey
    : { name: name.replace(/-id$/, '-ID').replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase()) };

function failures(row: CallRow): Record<string, Response> {
  const byStatus = Map.groupBy(refusalsOf(row), ([status]) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, refusals]) => {
      const codes = [...new Set(refusals.map(([, code]) => code))];
      return [
        status,
        {
          description: codes.join(', '),
          ...(waitStatuses.includes(status) && {
            headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
          }),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(
                codes.map((code) => [code, { value: { code, message: errors[code].message } }]),
              ),
            },
          },
        },
      ];
    }),
  );
}

type Refusal = readonly [status: number, code: ErrorCode];

/** The refusals of a call. A code may occur twice: the guard sends its usual status, the call may have another one for it. */
function refusalsOf(row: CallRow): Refusal[] {
  const { method, access, params, codes = [] } = row;
  const implied: ErrorCode[] = [...commonCodes, ...(isForKeepers(access) ? keeperGuardCodes : guardCodes)];
  // An id or name that is malformed gets 404, like an unknown one.
  if (params) implied.push('NOT_FOUND');
  if (method !== 'GET') implied.push('PAYLOAD_TOO_LARGE');
  return [
    ...implied.map((code): Refusal => [errors[code].status, code]),
    ...codes.map((code): Refusal => [errorStatusOf(row, code), code]),
    ...(method === 'GET' ? [] : [[415, 'INVALID_REQUEST'] as const]),
  ];
}

export const errorStatusOf = ({ statuses }: Call, code: ErrorCode): number => statuses?.[code] ?? errors[code].status;
