import { apiPrefix, commonCodes, type Endpoint } from '#contract/endpoint.ts';
import { errors, type ErrorCode } from '#contract/errors.ts';
import { table } from '#contract/table.ts';

interface ObjectSchema {
  properties?: Record<string, object>;
  required?: string[];
}

const codesOf = ({ access, codes }: Endpoint): ErrorCode[] => [
  ...commonCodes,
  ...(access === 'public' ? [] : (['UNAUTHORIZED', 'FORBIDDEN', 'ACCOUNT_BLOCKED'] as const)),
  ...codes,
];

const securityOf = { public: [], user: [{ accessToken: [] }], cookie: [{ sessionCookie: [] }] };

/** The published description of the whole contract. */
export function openApi(appName: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { area, name, endpoint, schemas } of table) {
    const operation = {
      operationId: name,
      tags: [area],
      summary: endpoint.summary,
      security: securityOf[endpoint.access],
      parameters: [
        ...parameters('path', schemas.params),
        ...parameters('query', schemas.query),
        ...parameters('header', schemas.headers),
      ],
      ...(schemas.body && { requestBody: { required: true, content: json(schemas.body) } }),
      responses: {
        [endpoint.status]: { description: endpoint.summary, ...(schemas.reply && { content: json(schemas.reply) }) },
        ...failures(endpoint),
      },
    };
    (paths[apiPrefix + endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation;
  }
  return {
    openapi: '3.1.0',
    info: { title: appName, version: '1' },
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer' },
        sessionCookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      },
    },
  };
}

const errorSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { enum: Object.keys(errors) }, message: { type: 'string' } },
};

const json = (schema: object): object => ({ 'application/json': { schema } });

function parameters(place: 'path' | 'query' | 'header', schema: ObjectSchema | undefined): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: schema?.required?.includes(name) ?? false,
    schema: property,
  }));
}

function failures(endpoint: Endpoint): Record<string, object> {
  const codes = new Set(codesOf(endpoint));
  const byStatus = Map.groupBy(codes, (code) => endpoint.statuses?.[code] ?? errors[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      status,
      { description: of.join(', '), content: json({ $ref: '#/components/schemas/Error' }) },
    ]),
  );
}
