import assert from 'node:assert/strict';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { callTable } from '#contract/calls.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { type Operation, openApi } from '../../server/http/openapi.ts';

const { paths } = openApi({ appName: '', contact: '', publicUrl: '', sessionCookie: '', limits: {} });

/** The calls in the order of the router: literal paths first. */
const calls = callTable
  .map(({ method, path }) => ({
    method,
    path: new RegExp(
      `^${apiPrefix}${path.replaceAll(/\{\w+:?(.*?)\}/g, (_, values) => (values ? `(${values})` : '[^/]+'))}$`,
    ),
    parameters: path.split('{').length,
    operation: paths[apiPrefix + path]![method.toLowerCase()]!,
  }))
  .toSorted((a, b) => a.parameters - b.parameters);

const operationOf = (method: string, path: string): Operation | undefined =>
  calls.find((call) => call.method === method && call.path.test(path))?.operation;

/** Wraps `inject` of an app. The wrapper fails when a call is refused with a status and code that the API's description does not name for it. */
export function checkRefusals(app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (options: InjectOptions) => Promise<LightMyRequestResponse>;
  const checked = async (options: InjectOptions): Promise<LightMyRequestResponse> => {
    const response = await inject(options);
    const { statusCode: status, body, headers } = response;
    const isJson = String(headers['content-type']).startsWith('application/json');
    if (status < 400 || !isJson || options.payloadAsStream) return response;
    const { method = 'GET', url = '' } = options;
    const operation = typeof url === 'string' && operationOf(method, new URL(url, 'http://wall').pathname);
    if (!operation) return response;
    const { code } = JSON.parse(body) as { code: string };
    const codes = operation.responses[status]?.description.split(', ') ?? [];
    assert.ok(codes.includes(code), `${method} ${url}: ${status} ${code} is not described`);
    return response;
  };
  app.inject = checked as typeof app.inject;
}
