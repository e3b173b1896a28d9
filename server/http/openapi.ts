import { apiPrefix, commonCodes, type Endpoint, isForKeepers, statusOf } from '#contract/endpoint.ts';
import { errors, type ErrorCode } from '#contract/errors.ts';
import { areas, type Row, table } from '#contract/table.ts';
import { NamedSchemas, type Schema } from './named-schemas.ts';

interface ObjectSchema {
  properties?: Record<string, object>;
  required?: string[];
}

interface Described {
  appName: string;
  publicUrl: string;
  /** Name of the session cookie. */
  sessionCookie: string;
  /** How often a person may make each call, by its name: a sentence. */
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

/** The sentence about the people who may make a call. */
const whoMay: Record<Endpoint['access'], string> = {
  public: 'Для всех.',
  user: 'Для вошедших.',
  cookie: 'Для браузера: вместо токена cookie сеанса, и Origin — адрес стены.',
  moderator: 'Для модераторов и владельцев стены; для всех остальных такого вызова нет.',
  owner: 'Для владельцев стены; для всех остальных такого вызова нет.',
};
/** Error codes that the access to a call implies. */
const codesOf: Record<Endpoint['access'], readonly ErrorCode[]> = {
  public: [],
  user: ['UNAUTHORIZED', 'FORBIDDEN', 'ACCOUNT_BLOCKED'],
  cookie: ['UNAUTHORIZED', 'FORBIDDEN', 'ACCOUNT_BLOCKED'],
  moderator: ['NOT_FOUND', 'FORBIDDEN'],
  owner: ['NOT_FOUND', 'FORBIDDEN'],
};
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

/** The OpenAPI description of the contract. */
export function openApi({ appName, publicUrl, sessionCookie, limits }: Described): OpenApi {
  const schemas = new NamedSchemas();
  const paths: OpenApi['paths'] = {};
  for (const row of table) {
    const path = (paths[apiPrefix + row.endpoint.path] ??= {});
    path[row.endpoint.method.toLowerCase()] = operation(row, schemas, limits[row.name]);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: appName,
      version: '1',
      description: 'Вызовы стены коротких записей: JSON в обе стороны, время в секундах Unix, номера — строки.',
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
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Токен для программ: создаётся в настройках, начинается с stena_. Право write включает read.',
        },
        sessionCookie: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'Cookie сеанса браузера.' },
      },
    },
  };
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

function operation(
  { area, name, summary, endpoint, schemas: parts, example }: Row,
  schemas: NamedSchemas,
  limit = '',
): Operation {
  const { setsCookie, streams, access } = endpoint;
  const ok: Response = { description: summary };
  if (setsCookie) ok.headers = { 'Set-Cookie': { $ref: '#/components/headers/SetCookie' } };
  if (parts.reply) {
    const stream = streams && { 'text/event-stream': { schema: eventStream } };
    ok.content = { ...json(schemas.refer(parts.reply), example.reply), ...stream };
  }
  const accepted = parts.accepted && {
    202: { description: 'Принято: подействует позже', content: json(schemas.refer(parts.accepted), example.accepted) },
  };
  return {
    operationId: name,
    tags: [area],
    summary,
    description: [whoMay[access], limit].join(' ').trim(),
    security: securityOf(endpoint),
    parameters: [
      ...parameters('path', parts.params, example.params),
      ...parameters('query', parts.query, example.query),
      ...parameters('header', parts.headers),
    ],
    ...(parts.body && {
      requestBody: { required: !('anyOf' in parts.body), content: json(schemas.refer(parts.body), example.body) },
    }),
    responses: { [statusOf(endpoint, parts)]: ok, ...accepted, ...failures(endpoint, parts.body !== undefined) },
  };
}

/** Public reads accept a token too: the response then includes the viewer's likes. */
function securityOf({ access, method, tokenScope }: Endpoint): object[] {
  const apiToken = tokenScope ? [{ apiToken: [tokenScope] }] : [];
  if (access === 'user' || isForKeepers(access)) return [{ accessToken: [] }, ...apiToken];
  if (access === 'cookie') return [{ sessionCookie: [] }];
  return method === 'GET' ? [{}, { accessToken: [] }, ...apiToken] : [];
}

function parameters(place: Parameter['in'], schema: ObjectSchema | undefined, examples: unknown = {}): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    // In addresses, numbers are strings of digits.
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

/** The usual spelling, because header names in Node are in lower case. */
const inHeader = (name: string): { name: string; description?: string } =>
  name === 'idempotency-key'
    ? idempotencyKey
    : { name: name.replace(/-id$/, '-ID').replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase()) };

function failures(endpoint: Endpoint, hasBody: boolean): Record<string, Response> {
  const byStatus = Map.groupBy(codesOfCall(endpoint, hasBody), (code) => errorStatusOf(endpoint, code));
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
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
    ]),
  );
}

const codesOfCall = ({ access, codes }: Endpoint, hasBody: boolean): ReadonlySet<ErrorCode> =>
  new Set([...commonCodes, ...(hasBody ? (['PAYLOAD_TOO_LARGE'] as const) : []), ...codesOf[access], ...codes]);

export const errorStatusOf = ({ statuses }: Endpoint, code: ErrorCode): number =>
  statuses?.[code] ?? errors[code].status;
