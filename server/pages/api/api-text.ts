import { hash } from 'node:crypto';
import { addresses } from '#contract/addresses.ts';
import { statusOf } from '#contract/call.ts';
import { areas, keepersAreas, type CallRow, callTable } from '#contract/calls.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { WallText } from '#contract/wall-texts.ts';
import { errorStatusOf, type OpenApi, type Operation, type Schema } from '../../http/openapi.ts';
import { escapeXml } from '../xml.ts';
import { code, fieldList, fieldsOf, prose, schemaId, schemaLink } from './schema-html.ts';

interface Wall {
  publicUrl: string;
  sessionCookie: string;
}

/** The command that makes a call with the values of its example. Secrets come from the variables `$TOKEN` and `$SESSION`. */
function curlCommand({ method, access, path: of, example }: CallRow, { publicUrl, sessionCookie }: Wall): string {
  const params = (example.params ?? {}) as Record<string, string>;
  const query = Object.entries((example.query ?? {}) as Record<string, string>);
  const path = of.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const plain = query.filter(([, value]) => encodeURIComponent(value) === value);
  const others = query.filter(([, value]) => encodeURIComponent(value) !== value);
  const search = plain.length > 0 ? `?${plain.map(([name, value]) => `${name}=${value}`).join('&')}` : '';
  return [
    [
      'curl',
      ...(others.length > 0 ? ['--get'] : []),
      ...(method === 'GET' || (method === 'POST' && example.body) ? [] : ['-X', method]),
      quoted(publicUrl + apiPrefix + path + search),
    ].join(' '),
    ...others.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(access === 'user' ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(access === 'cookie' ? [`-b "${sessionCookie}=$SESSION"`] : []),
    ...(example.body ? [`--json ${quoted(JSON.stringify(example.body))}`] : []),
  ].join(' \\\n  ');
}

/** Quotes a word for a shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The id of the section with the common errors, to which every call links. */
const errorsId = 'errors';

const places = { path: 'в пути', query: 'в адресе', header: 'заголовок' };

const pre = (text: string): string => `<pre><code>${escapeXml(text)}</code></pre>`;

/** A heading with an address of its own. */
const heading = (level: 2 | 3, id: string, text: string): string =>
  `<h${level} id="${id}"><a href="#${id}">${escapeXml(text)}</a></h${level}>`;

function callHtml(row: CallRow, operation: Operation, wall: Wall): string {
  const { name, reply, accepted, codes = [], example } = row;
  const status = statusOf(row);
  const { summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'].schema;
  return [
    heading(3, name, summary),
    `<p><code><strong>${row.method}</strong> ${escapeXml(apiPrefix + row.path)}</code></p>`,
    `<p>${prose([description, scopeOf(operation)].join(' ').trim())}</p>`,
    ...(parameters.length > 0 ? ['<h4>Параметры</h4>', parameterList(parameters)] : []),
    ...(body ? ['<h4>Тело запроса</h4>', bodyHtml(body)] : []),
    pre(curlCommand(row, wall)),
    `<h4>Ответ ${status}</h4>`,
    ...(reply
      ? [bodyHtml(responses[status]!.content!['application/json'].schema), pre(jsonText(example.reply))]
      : ['<p>Без тела.</p>']),
    ...(accepted
      ? [
          '<h4>Ответ 202</h4>',
          bodyHtml(responses[202]!.content!['application/json'].schema),
          pre(jsonText(example.accepted)),
        ]
      : []),
    '<h4>Ошибки</h4>',
    ...(codes.length > 0 ? [errorList(codes, (of) => errorStatusOf(row, of))] : []),
    `<p>${codes.length > 0 ? 'И общие' : 'Только общие'}: <a href="#${errorsId}">список</a>.</p>`,
  ].join('\n');
}

/** The sentence about the scope that an API token must have; empty if the call accepts no API tokens. */
function scopeOf({ security }: Operation): string {
  const scope = (['read', 'write'] as const).find((each) => security.some((way) => `${each}Token` in way));
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

/** The fields of a body, or a link to its schema if that has a section of its own. */
const bodyHtml = (schema: Schema): string =>
  schema.$ref === undefined ? fieldList(fieldsOf(schema)) : `<p>${schemaLink(schema.$ref.split('/').at(-1)!)}</p>`;

function errorList(codes: readonly ErrorCode[], status: (code: ErrorCode) => number): string {
  const items = codes.map((of) => `<dt>${code(of)}</dt><dd>${status(of)}. ${escapeXml(errors[of].message)}</dd>`);
  return `<dl>${items.join('')}</dl>`;
}

/** Maximum length of a line of JSON. */
const width = 76;

/** Indented JSON. A value that fits into one line is not broken. */
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

interface Described extends Wall {
  /** Requests of one address in a minute. */
  readsPerMinute: number;
}

interface Section {
  id: string;
  title: string;
  html: string;
  /** Sections below it that the table of contents lists. */
  parts?: readonly { id: string; title: string }[];
}

const summary = 'Вызовы стены для программ: адреса, параметры, ответы, ошибки, пределы и команды curl.';

/** The page for people who write programs, made from the contract and its OpenAPI description. */
export function apiText(openApi: OpenApi, wall: Described): WallText {
  const calls = new Map(
    Object.values(openApi.paths).flatMap((path) => Object.values(path).map((call) => [call.operationId, call])),
  );
  // Calls of keepers are left out, because they do not exist for most people.
  const shown = callTable.filter(({ area }) => !keepersAreas.has(area));
  const used = schemasOf(
    openApi,
    shown.map(({ name }) => calls.get(name)!),
  );
  const sections: Section[] = [
    { id: 'start', title: 'Как начать', html: startHtml(wall) },
    { id: 'tokens', title: 'Токены для программ', html: tokensHtml(wall) },
    { id: 'limits', title: 'Пределы', html: limitsHtml(wall) },
    { id: errorsId, title: 'Общие ошибки', html: errorsHtml() },
    ...areas.flatMap((area) => areaSection(area, shown, calls, wall)),
    {
      id: 'schemas',
      title: 'Схемы',
      html: used.map((name) => schemaHtml(name, openApi)).join('\n'),
    },
  ];
  const html = [
    `<p>${summary}</p>`,
    contents(sections),
    ...sections.map(({ id, title, html: inside }) => `${heading(2, id, title)}\n${inside}`),
  ].join('\n');
  return { name: 'api', title: 'API', html, summary, hash: hash('sha256', html) };
}

function contents(sections: readonly Section[]): string {
  const link = ({ id, title }: { id: string; title: string }): string => `<a href="#${id}">${escapeXml(title)}</a>`;
  const items = sections.map((section) => {
    const parts = section.parts?.map((part) => `<li>${link(part)}</li>`).join('');
    return `<li>${link(section)}${parts ? `<ul>${parts}</ul>` : ''}</li>`;
  });
  return `<nav aria-label="Содержание"><ul>${items.join('')}</ul></nav>`;
}

function areaSection(
  { name, title, about }: (typeof areas)[number],
  shown: readonly CallRow[],
  calls: ReadonlyMap<string, Operation>,
  wall: Wall,
): Section[] {
  const rows = shown.filter(({ area }) => area === name);
  if (rows.length === 0) return [];
  const html = rows.map((row) => callHtml(row, calls.get(row.name)!, wall));
  const parts = rows.map((row) => ({ id: row.name, title: row.says }));
  return [{ id: name, title, html: [`<p>${escapeXml(about)}</p>`, ...html].join('\n'), parts }];
}

const paragraphs = (...texts: string[]): string => texts.map((text) => `<p>${prose(text)}</p>`).join('\n');

const startHtml = ({ publicUrl }: Wall): string =>
  [
    paragraphs(
      `Все вызовы живут под \`${publicUrl}${apiPrefix}\` и говорят на JSON в UTF-8. Читать ленту, записи и обсуждения можно без входа:`,
    ),
    pre(`curl '${publicUrl}${apiPrefix}/posts'`),
    paragraphs(
      'Номера — строки: не считайте с ними и не ждайте от них вида. Время — секунды Unix. Лишние поля в теле запроса не принимаются.',
      'Списки отдают `next`: передайте его как `cursor`, чтобы продолжить ровно с того же места, что бы ни написали тем временем.',
      'Публикуя, передавайте заголовок `Idempotency-Key` с новым случайным значением: если ответ потерялся, повторите тот же запрос, и вторая запись не появится.',
    ),
    `<p>Описание для программ — <a href="${apiPrefix}/openapi.json">OpenAPI 3.1</a>: из него делают клиентов на любом языке.</p>`,
  ].join('\n');

const tokensHtml = ({ publicUrl }: Wall): string =>
  [
    `<p>То, что требует входа, программа делает с токеном. Создайте его в настройках, на странице <a href="${addresses.settingsApiTokens.href()}">«Токены для программ»</a>, и передавайте с каждым вызовом:</p>`,
    pre(`TOKEN='…'\ncurl -H "Authorization: Bearer $TOKEN" '${publicUrl}${apiPrefix}/users/current'`),
    paragraphs(
      'Право `read` — только читать, `write` — ещё и писать. Учётной записью, сеансами и самими токенами такой токен не распоряжается: для этого входят в браузере.',
      'Токен показывают один раз. Храните его как пароль, а если он утёк, завершите его на той же странице.',
    ),
  ].join('\n');

const limitsHtml = ({ readsPerMinute }: Described): string =>
  paragraphs(
    `С одного адреса — до ${readsPerMinute} запросов в минуту. У вызовов, которые пишут, есть и свои пределы на человека: они названы у каждого вызова, и токены одного человека делят их. Поиск без входа делят между собой все посетители.`,
    'Кто превысил предел, получает 429 и заголовок `Retry-After`: через сколько секунд повторить.',
    `Запись — до ${limits.postLength} знаков, страница списка — до ${limits.pageSizeMax} записей, тело запроса — до ${limits.bodyBytes / 1024} КБ.`,
  );

/** Errors of many calls. The section of a call lists one of them only if it is among the `codes` of the call. */
const commonErrors: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ACCOUNT_BLOCKED',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'UNAVAILABLE',
];

const errorsHtml = (): string =>
  [
    paragraphs(
      'Каждая ошибка — `{"code", "message"}` с кодом для программы и текстом, который можно показать человеку. Эти могут прийти в ответ на любой вызов:',
    ),
    errorList(commonErrors, (name) => errors[name].status),
  ].join('\n');

/** The names of the schemas to which calls refer directly or through other schemas, in the order of the description. */
function schemasOf({ components }: OpenApi, calls: readonly Operation[]): string[] {
  const found = new Set<string>();
  const look = (inside: unknown): void => {
    for (const [, name] of JSON.stringify(inside).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name!)) continue;
      found.add(name!);
      look(components.schemas[name!]);
    }
  };
  look(calls);
  return Object.keys(components.schemas).filter((name) => found.has(name));
}

function schemaHtml(name: string, { components }: OpenApi): string {
  return `${heading(3, schemaId(name), name)}\n${fieldList(fieldsOf(components.schemas[name]!))}`;
}
