import fc from 'fast-check';
import { type CallRow, callTable } from '#contract/calls.ts';
import { apiPrefix } from '#contract/endpoint.ts';

/** Any text: all of Unicode and lone surrogates, with frequent control characters and combining marks. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme-composite', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r', '\t', '\0', '\u0301', '\u202e', '\ud800', '\u2800', 'ё') }),
);

/** Values where a string is expected. */
const hostileString = fc.oneof(
  anyText,
  fc.mixedCase(fc.emailAddress()),
  fc.stringMatching(/^[a-zA-Z0-9_]{4,33}$/),
  fc.constantFrom(
    '',
    '0',
    '1',
    '2',
    '-1',
    '1e12',
    'NaN',
    'Infinity',
    '1'.padEnd(31, '0'),
    '9'.repeat(15),
    '0x10',
    '１２３４５６',
    '123456',
    'true',
    'null',
    'undefined',
    '[object Object]',
    '__proto__',
    '../../etc/passwd',
    "' or 1=1 --",
    '"); drop table users; --',
    '<script>alert(1)</script>',
    'a@b.ru',
    'person@example.org',
    'victim@x.ru,evil@y.ru',
    'some_body',
    'spam',
    'liked',
    'c1',
    'czzzzzzzzzz',
    '\u212arakow',
    'x'.repeat(300),
    'я'.repeat(501),
    'x'.repeat(5_000),
  ),
);

/** Any JSON value. */
const hostileValue = fc.oneof(
  { weight: 3, arbitrary: hostileString },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, 0, -0, -1, 1.5, 1e308, 2 ** 53, true, false, [], {}, [''], [[]]),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

/** DEL is the only one of these bytes that is invalid in a header. */
const latin1 = (byte: number): string => String.fromCharCode(byte === 0x7f ? 0x20 : byte);

/** Header values that can be transferred. */
const hostileHeader = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '*',
    'null',
    '-1',
    '9'.repeat(20),
    'Bearer',
    'Bearer ',
    'Bearer null',
    `Bearer 1.9999999999.${'A'.repeat(43)}`,
    `Bearer ${'9'.repeat(15)}.1.${'A'.repeat(43)}`,
    'Basic YTpi',
    'session=',
    `session=${'x'.repeat(43)}`,
    'session=%E0%A4%A; session=a; =; ;;',
    '__proto__=1; constructor=2',
    'W/"a", W/"b"',
    'br;q=0, gzip;q=2, *;q=1e9',
    '127.0.0.1, ::1, unknown, [::1]:80',
    '::ffff:999.1.1.1%eth0',
    'http://',
    'javascript:alert(1)',
    'x'.repeat(4_000),
  ),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map(latin1), maxLength: 40 }),
);

/** The part of a JSON schema that names the fields of a request. */
interface Shape {
  properties?: Record<string, Shape>;
}

/** An endpoint or a page. */
export interface Target {
  name: string;
  method: CallRow['method'];
  /** The path with its parameter in braces. */
  path: string;
  query?: Shape;
  body?: Shape;
}

export interface HostileRequest {
  method: CallRow['method'];
  url: string;
  /** The headers that differ from those of a browser. */
  headers: Record<string, string>;
  body: string | undefined;
}

const calls = callTable.map(({ name, method, path, query, body }): Target => ({
  name,
  method,
  path: apiPrefix + path,
  ...(query && { query }),
  ...(body && { body }),
}));

const cursor: Shape = { properties: { cursor: {} } };

const pages: Target[] = [
  { name: 'the feed as a page', method: 'GET', path: '/', query: cursor },
  { name: 'a post as a page', method: 'GET', path: '/posts/{id}', query: cursor },
  { name: 'an author as a page', method: 'GET', path: '/users/{username}', query: cursor },
  { name: 'an author’s Atom feed', method: 'GET', path: '/users/{username}/feed.xml' },
  { name: 'a part of the sitemap', method: 'GET', path: '/sitemap-{part}.xml' },
  { name: 'any address', method: 'GET', path: '/{path}' },
];

/** Every call of the contract, and the pages. */
export const targets: readonly Target[] = [...calls, ...pages];

const headerNames = [
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'origin',
  'sec-fetch-site',
  'x-forwarded-for',
  'x-forwarded-host',
];

/** Makes requests, some of which are close enough to a valid one to pass the first check. The ids in `known` exist. */
export function hostileRequests(
  { method, path, query, body }: Target,
  known: readonly string[],
): fc.Arbitrary<HostileRequest> {
  return fc.record({
    method: fc.constant(method),
    url: fc.tuple(addresses(path, known), queries(namesOf(query))).map((parts) => parts.join('')),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...headerNames), hostileHeader, { maxKeys: 3 }) },
    ),
    body: body ? bodies(body) : sometimes(bodies({})),
  });
}

const namesOf = (shape: Shape | undefined): string[] => Object.keys(shape?.properties ?? {});

const sometimes = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });

const encoded = hostileString.map((text) => encodeURIComponent(text.toWellFormed()));

/** Addresses with existing ids, with other strings instead of ids, and with invalid paths. */
function addresses(path: string, known: readonly string[]): fc.Arbitrary<string> {
  if (!path.includes('{')) return fc.constant(path);
  const parameter = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...known, 'current') },
    { weight: 3, arbitrary: encoded },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%zz', '%00', '%2f', '%2e%2e', '%c0%af', '%ed%a0%80', ';', ':', '..'),
    },
  );
  return parameter.map((value) => path.replace(/\{\w+\}/, () => value));
}

/** Queries with the parameters of the call, once, repeated, as lists and as objects, and with unknown parameters. */
function queries(names: string[]): fc.Arbitrary<string> {
  const name = fc
    .constantFrom(...names, ...names, 'x', '__proto__')
    .chain((plain) => fc.constantFrom(plain, plain, plain, `${plain}[]`, `${plain}[0]`, `${plain}[a]`));
  const value = fc.oneof(
    { weight: 4, arbitrary: encoded },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%00', '+', '&', '=', '%26', '1,2,3,4,5,6,7,8,9,10,11', ',,') },
  );
  const once = fc.subarray(names).chain((some) => fc.tuple(...some.map((one) => fc.tuple(fc.constant(one), value))));
  const pairs = fc.oneof(once, fc.array(fc.tuple(name, value), { maxLength: 4 }));
  return pairs.map((list) => (list.length > 0 ? `?${list.map((pair) => pair.join('=')).join('&')}` : ''));
}

/** Bodies with known fields that have wrong values, with unknown fields, and without valid JSON. */
function bodies(shape: Shape): fc.Arbitrary<string> {
  const names = [...namesOf(shape), 'x', '__proto__', 'constructor'];
  const value = fc.oneof(
    { weight: 5, arbitrary: filled(shape) },
    { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...names), hostileValue, { maxKeys: names.length }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
  const json = value.map((it) => JSON.stringify(it));
  return fc.oneof(
    { weight: 12, arbitrary: json },
    { weight: 1, arbitrary: json.map((text) => text.slice(0, -1)) },
    { weight: 1, arbitrary: fc.constantFrom(...noJson) },
  );
}

const filled = ({ properties }: Shape): fc.Arbitrary<unknown> => {
  if (!properties) return hostileValue;
  return fc.record(Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, filled(part)])));
};

const noJson = [
  '',
  '{"__proto__":{"x":1}}',
  '{"text":"a","text":"b"}',
  '['.repeat(9_000),
  '1e999999',
  `"${'x'.repeat(17_000)}"`,
  '\ufeff{}',
  'text=a',
];
