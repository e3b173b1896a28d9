import { apiPrefix, statusOf } from '#contract/endpoint.ts';
import { errors, type ErrorCode } from '#contract/errors.ts';
import type { Row } from '#contract/table.ts';
import { errorStatusOf, type Operation } from '../../http/openapi.ts';
import type { Schema } from '../../http/named-schemas.ts';
import { escapeXml } from '../xml.ts';
import { curlCommand, type Wall } from './curl.ts';
import { code, fieldList, fieldsOf, prose, schemaLink } from './schema-html.ts';

/** Ids of the sections that calls refer to. */
export const errorsId = 'errors';

const places = { path: 'в пути', query: 'в адресе', header: 'заголовок' };

export const pre = (text: string): string => `<pre><code>${escapeXml(text)}</code></pre>`;

/** A heading with an address of its own. */
export const heading = (level: 2 | 3, id: string, text: string): string =>
  `<h${level} id="${id}"><a href="#${id}">${escapeXml(text)}</a></h${level}>`;

/** The section of one call. */
export function callHtml(row: Row, operation: Operation, wall: Wall): string {
  const { name, endpoint, schemas, example } = row;
  const status = statusOf(endpoint, schemas);
  const { summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'].schema;
  return [
    heading(3, name, summary),
    `<p><code><strong>${endpoint.method}</strong> ${escapeXml(apiPrefix + endpoint.path)}</code></p>`,
    `<p>${prose([description, scopeOf(operation)].join(' ').trim())}</p>`,
    ...(parameters.length > 0 ? ['<h4>Параметры</h4>', parameterList(parameters)] : []),
    ...(body ? ['<h4>Тело запроса</h4>', bodyHtml(body)] : []),
    pre(curlCommand(row, wall)),
    `<h4>Ответ ${status}</h4>`,
    ...(schemas.reply
      ? [bodyHtml(responses[status]!.content!['application/json'].schema), pre(jsonText(example.reply))]
      : ['<p>Без тела.</p>']),
    ...(schemas.accepted
      ? [
          '<h4>Ответ 202</h4>',
          bodyHtml(responses[202]!.content!['application/json'].schema),
          pre(jsonText(example.accepted)),
        ]
      : []),
    '<h4>Ошибки</h4>',
    ...(endpoint.codes.length > 0 ? [errorList(endpoint.codes, (of) => errorStatusOf(endpoint, of))] : []),
    `<p>${endpoint.codes.length > 0 ? 'И общие' : 'Только общие'}: <a href="#${errorsId}">список</a>.</p>`,
  ].join('\n');
}

/** The scope an API token must have, where the description names such tokens. */
function scopeOf({ security }: Operation): string {
  const [scope] = security.flatMap((way) => (way as Record<string, string[]>)['apiToken'] ?? []);
  return scope === undefined ? '' : `Токену для программ нужно право \`${scope}\`.`;
}

function parameterList(parameters: Operation['parameters']): string {
  const fields = parameters.map(({ name, schema, description, required, in: place }) => ({
    name,
    schema: description === undefined ? schema : { ...schema, description },
    isRequired: required,
    place,
  }));
  const placeOf = new Map(fields.map(({ name, place }) => [name, places[place]]));
  return fieldList(fields, ({ name, isRequired }) => `, ${placeOf.get(name)}${isRequired ? '' : ', необязательно'}`);
}

/** The fields of a body, or its name when they are described apart. */
const bodyHtml = (schema: Schema): string =>
  schema.$ref === undefined ? fieldList(fieldsOf(schema)) : `<p>${schemaLink(schema.$ref.split('/').at(-1)!)}</p>`;

export function errorList(codes: readonly ErrorCode[], status: (code: ErrorCode) => number): string {
  const items = codes.map((of) => `<dt>${code(of)}</dt><dd>${status(of)}. ${escapeXml(errors[of].message)}</dd>`);
  return `<dl>${items.join('')}</dl>`;
}

/** Maximum length of a line of JSON. */
const width = 76;

/** JSON in lines, in which what fits a line stays in one. */
function jsonText(value: unknown, indent = ''): string {
  const short = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (typeof value !== 'object' || value === null || indent.length + short.length <= width) return short;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Array.isArray(value)
    ? value.map((item) => deeper + jsonText(item, deeper))
    : Object.entries(value).map(([key, inside]) => `${deeper}${JSON.stringify(key)}: ${jsonText(inside, deeper)}`);
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
