import { hash } from 'node:crypto';
import { addresses } from '#contract/addresses.ts';
import type { WallText } from '#contract/wall-texts.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { errors, type ErrorCode } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { areas, keepersAreas, type Row, table } from '#contract/table.ts';
import type { OpenApi, Operation } from '../../http/openapi.ts';
import { escapeXml } from '../xml.ts';
import { callHtml, errorList, errorsId, heading, pre } from './call-html.ts';
import type { Wall } from './curl.ts';
import { fieldList, fieldsOf, prose, schemaId } from './schema-html.ts';

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
  // For most people these calls do not exist.
  const shown = table.filter(({ area }) => !keepersAreas.has(area));
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
  shown: readonly Row[],
  calls: ReadonlyMap<string, Operation>,
  wall: Wall,
): Section[] {
  const rows = shown.filter(({ area }) => area === name);
  if (rows.length === 0) return [];
  const html = rows.map((row) => callHtml(row, calls.get(row.name)!, wall));
  const parts = rows.map((row) => ({ id: row.name, title: row.summary }));
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

/** Errors that calls do not list among their own. */
const commonErrors: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ACCOUNT_BLOCKED',
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
    errorList(commonErrors, (code) => errors[code].status),
  ].join('\n');

/** The names of the schemas that calls refer to, also through others, in the order of the description. */
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
