import { Random } from '../../../demo/random.ts';
import { get, hidden, hidingBody, type Malformed, post, untilResponse } from './malformed.ts';

type Steps = Malformed['steps'];
type How = Omit<Malformed, 'name' | 'steps'>;

/** Requests, given by their names, with the same expectations `how`. */
const named = (requests: Record<string, string | Steps>, how: How = {}): Malformed[] =>
  Object.entries(requests).map(([name, sent]) => ({ name, steps: typeof sent === 'string' ? [sent] : sent, ...how }));

/** One request for each value. */
const each = (values: readonly string[], name: string, made: (value: string) => string, how: How = {}): Malformed[] =>
  values.map((value) => ({ name: `${name} ${JSON.stringify(value)}`, steps: [made(value)], ...how }));

const hides = { hides: true } as const;
const swallows = { swallows: true } as const;
const visibleToNginx = { hides: true, visibleToNginx: true } as const;

const disguises = [
  'Transfer-Encoding: chunked',
  'tRANSFER-eNCODING: cHUNKED',
  'Transfer-Encoding:chunked',
  'Transfer-Encoding:    chunked   ',
  'Transfer-Encoding:\tchunked\t',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding: \x0cchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding\t: chunked',
  ' Transfer-Encoding: chunked',
  'Transfer-Encoding:\r\n chunked',
  'X: y\r\n Transfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\0',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: chunked; q=1',
  'Transfer-Encoding:\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: , chunked',
];

/** A server that uses the length and one that uses the chunks disagree about where the body ends and a request begins. */
const lengthAndChunks = [hidingBody.length, '0\r\n\r\n'.length].flatMap((length) => [
  ...each(
    disguises,
    `a length of ${length} and`,
    (as) => post(`Content-Length: ${length}\r\n${as}`, hidingBody),
    hides,
  ),
  ...each(
    disguises,
    `before a length of ${length}`,
    (as) => post(`${as}\r\nContent-Length: ${length}`, hidingBody),
    hides,
  ),
]);

const lengths = [
  `${hidden.length}\r\nContent-Length: 0`,
  `0\r\nContent-Length: ${hidden.length}`,
  `0, ${hidden.length}`,
].concat([
  '+0',
  '-1',
  '0x0',
  '0;',
  '0 0',
  '0e0',
  '',
  'null',
  '\x0b0',
  '18446744073709551616',
  `${'0'.repeat(41)}x`,
  '9'.repeat(40),
]);
const sizes = ['-1', '0x2', 'g', '', ' 2', '2 ', '+2', '1'.repeat(17), 'f'.repeat(16), '2\x0b', '2\0'];
const chunked = (body: string): string => post('Transfer-Encoding: chunked', body);

/** The end of a body is given twice, wrongly or not at all. */
const badLengths = [
  ...lengthAndChunks,
  ...each(lengths, 'a length of', (length) => post(`Content-Length: ${length}`, hidden), hides),
  ...each(sizes, 'a chunk of', (size) => chunked(`${size}\r\n{}\r\n0\r\n\r\n`), swallows),
  ...named({ 'a chunk that ends in LF alone': chunked(`2\n{}\n0\n\n${hidden}`) }, visibleToNginx),
  ...named({ 'an extension with a LF': chunked(`2;a\nb\r\n{}\r\n0\r\n\r\n${hidden}`) }, hides),
  ...named({ 'chunks over the limit': chunked(`1000\r\n${' '.repeat(4_096)}\r\n`.repeat(9)) }, swallows),
  ...named({
    'a chunk longer than it says': chunked(`2\r\n{}{}\r\n0\r\n\r\n`),
    'an extension of megabytes': chunked(`2;${'x'.repeat(3_000_000)}\r\n{}\r\n0\r\n\r\n`),
    'megabytes of trailers': chunked(`0\r\n${`X: ${'y'.repeat(1_000)}\r\n`.repeat(2_000)}\r\n`),
    'a length in the trailers': chunked(`2\r\n{}\r\n0\r\nContent-Length: ${hidden.length}\r\n\r\n`),
    'ten thousand chunks of a byte': chunked(`${'1\r\n \r\n'.repeat(10_000)}0\r\n\r\n`),
  }),
];

const hosts = ['wall/path', 'user@wall', 'wall:99999', 'wall, other', '[::1', 'wall\xff', '../..', "';--"];
const startLines = [
  'GET http://other/healthz HTTP/1.1',
  'GET http://user:pw@other:1/healthz HTTP/1.1',
  'GET other:443 HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'GET healthz HTTP/1.1',
  'GET //healthz HTTP/1.1',
  'GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1',
  'GET /assets/../../package.json HTTP/1.1',
  'GET /assets/%2e%2e%2f%2e%2e%2fpackage.json HTTP/1.1',
  'GET /assets\\..\\..\\package.json HTTP/1.1',
  'GET /healthz#fragment HTTP/1.1',
  'GET /healthz?%00 HTTP/1.1',
  'GET /% HTTP/1.1',
  'GET ? HTTP/1.1',
  'GET  /healthz  HTTP/1.1',
  'GET\t/healthz\tHTTP/1.1',
  'CONNECT other:443 HTTP/1.1',
  'BREW /pot HTTP/1.1',
  ...['TRACE', 'CONNECT', 'get', 'PROPFIND', 'QUERY'].map((method) => `${method} / HTTP/1.1`),
  ...['HTTP/1.2', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.10', 'HTTP/0.9', 'http/1.1', 'HTTPS/1.1', 'ICE/1.0', 'RTSP/1.0'].map(
    (version) => `GET / ${version}`,
  ),
  'GET /',
  'GET',
  '',
];
const websocket = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

/** Invalid lines, unusual requests, and other protocols. */
const badLines = [
  ...named({ 'CR alone': 'GET /healthz HTTP/1.1\rHost: wall\r\r' }, swallows),
  ...named({ 'a LF in a value': get('/healthz', `X: a\n\n${hidden}`) }, visibleToNginx),
  ...named({
    'LF alone': 'GET /healthz HTTP/1.1\nHost: wall\n\n',
    'a space before the colon': get('/healthz', 'X : y\r\n'),
    'a header without a colon': get('/healthz', 'X\r\n'),
    'a header without a name': get('/healthz', ': y\r\n'),
    'a NUL in a name': get('/healthz', 'X\0: y\r\n'),
    'a NUL in a value': get('/healthz', 'X: y\0\r\n'),
    'eight bits in a name': get('/healthz', 'X\xff: y\r\n'),
    'eight bits in a value': get('/healthz', 'X: \xff\xfe\r\n'),
    'eight bits in the path': get('/api/v1/users/\xff\xfe'),
    'a NUL in the path': get('/api/v1/users/\0'),
    'a tab in the path': get('/api/v1/users/\t'),
    'a space in the path': get('/api/v1/users/a b'),
    'an empty line before': `\r\n${get('/healthz')}`,
    'a thousand empty lines before': `${'\r\n'.repeat(1_000)}${get('/healthz')}`,
    'a folded line': get('/healthz', 'X: a\r\n b\r\n'),
    'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
    'two hosts': get('/healthz', 'Host: other\r\n'),
    'an empty host': 'GET /healthz HTTP/1.1\r\nHost:\r\n\r\n',
    'HTTP/0.9': ['GET /healthz\r\n', { untilQuietMs: 200 }, { endBy: 'half-close' }],
    'HTTP/1.0': 'GET /healthz HTTP/1.0\r\n\r\n',
    'HTTP/1.0 that stays': 'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    'HTTP/2 from the start': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', Buffer.alloc(9)],
    'a TLS hello': [Buffer.from('16030100c8010000c40303'.padEnd(400, '0'), 'hex')],
    'an SSH hello': 'SSH-2.0-OpenSSH_9.6\r\n',
    noise: [Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 151 + 7) % 256))],
    'Connection: close, keep-alive': get('/healthz', 'Connection: close, keep-alive\r\n'),
    'Connection: Host': get('/healthz', 'Connection: Host, Content-Length\r\n'),
    'Expect: something else': post('Expect: the-unexpected\r\nContent-Length: 2', '{}'),
    // Bytes after a request to change the protocol are not read as HTTP until there is a response.
    'an upgrade to h2c': [
      get(
        '/healthz',
        'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n',
      ),
      untilResponse,
    ],
    'an upgrade to websocket': [
      get('/api/v1/events', `Connection: Upgrade\r\nUpgrade: websocket\r\n${websocket}`),
      untilResponse,
    ],
  }),
  ...each(hosts, 'the host', (host) => `GET / HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\n\r\n`),
  ...each(startLines, 'the line', (line) => `${line}\r\nHost: wall\r\n\r\n`),
  ...named(
    { 'Expect: 100-continue': [post('Expect: 100-continue\r\nContent-Length: 2', ''), { untilQuietMs: 200 }, '{}'] },
    { requests: 2 },
  ),
  ...named(
    {
      'a CR in a value': get('/healthz', `X: a\r\r${hidden}`),
      'HTTP/1.0 with chunks': `POST /api/v1/posts HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n${hidingBody}`,
      'an upgrade of a body': [
        post(`Connection: Upgrade\r\nUpgrade: a\r\nContent-Length: ${hidden.length}`, hidden),
        untilResponse,
      ],
    },
    hides,
  ),
];

const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS'];
const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const forged = '%0d%0a{"level":50,"msg":"forged"}';

/** Requests that are too large, end too early, or try to write lines of their own into the log. */
const badEnds = [
  ...named({
    'a thousand headers': get('/healthz', Array.from({ length: 1_000 }, (_, i) => `X-${i}: y\r\n`).join('')),
    'ten thousand headers': get('/healthz', 'X: y\r\n'.repeat(10_000)),
    'a header of 64 kB': get('/healthz', `X: ${'y'.repeat(65_536)}\r\n`),
    'a header name of 64 kB': get('/healthz', `${'X'.repeat(65_536)}: y\r\n`),
    'cookies of 64 kB': get('/healthz', `Cookie: ${'a=b; '.repeat(13_000)}\r\n`),
    'an address of 64 kB': get(`/${'x'.repeat(65_536)}`),
    'an address of 14 kB': get(`/api/v1/posts?${'page=1&'.repeat(2_000)}`),
    'a method of 64 kB': `${'G'.repeat(65_536)} / HTTP/1.1\r\nHost: wall\r\n\r\n`,
    'a body of 10 MB': [post('Content-Length: 10000000', ''), Buffer.alloc(10_000_000, 0x20)],
    'a body that ends early': [post('Content-Length: 100', '{'), { endBy: 'half-close' }],
    'headers that end early': ['GET / HTTP/1.1\r\nHost: wa', { endBy: 'half-close' }],
    'a question and a closed half': [get('/healthz'), { endBy: 'half-close' }],
    nothing: [{ endBy: 'half-close' }],
    'a reset in the middle of the headers': ['GET / HTTP/1.1\r\nHost: wa', { afterMs: 20 }, { endBy: 'reset' }],
    'a reset in the middle of the body': [post('Content-Length: 100', '{'), { afterMs: 20 }, { endBy: 'reset' }],
    'a log line in the path': get(`/${forged}`),
    'a log line in a query': get(`/api/v1/posts?page=${forged}`),
    'a log line in headers': get(
      '/api/v1/posts',
      'X: "}\x09{"level":50,"msg":"forged"}\r\nAuthorization: Bearer "}{"msg":"forged"}\r\n',
    ),
  }),
  ...named(
    { 'a reset in the middle of the response': [get('/').repeat(50), { afterMs: 5 }, { endBy: 'reset' }] },
    { requests: 50 },
  ),
  ...each(
    methods,
    'a body of',
    (method) => `${method} /api/v1/posts HTTP/1.1\r\nHost: wall\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    hides,
  ),
  ...each(
    methods,
    'chunks of',
    (method) => `${method} /healthz HTTP/1.1\r\nHost: wall\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    hides,
  ),
  ...named(
    {
      'a body refused before it came': [post(`Content-Length: ${hidden.length}`, ''), { afterMs: 100 }, hidden],
      'a body over the limit': post('Content-Length: 100000', `${hidden}${' '.repeat(100_000 - hidden.length)}`),
    },
    hides,
  ),
];

export const malformed: readonly Malformed[] = [...badLengths, ...badLines, ...badEnds];

const seed = 8;
const damages = 6;
const valid = [
  get('/healthz', 'Accept: */*\r\n'),
  get('/', 'Accept: text/html\r\nAccept-Language: ru\r\n'),
  post('Content-Length: 12', '{"text":"a"}'),
  post('Transfer-Encoding: chunked', '5\r\n{"tex\r\n7\r\nt":"a"}\r\n0\r\n\r\n'),
  get('/api/v1/posts?page=1&limit=10', 'Authorization: Bearer a\r\nCookie: session=b; c=d\r\n'),
];

/** Requests in which random bytes are changed, added, lost or doubled; the same ones in every run. They may mean anything. */
export function damaged(count: number): Malformed[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    let text = random.pick(valid);
    for (let left = 1 + random.below(damages); left > 0; left -= 1) text = damage(text, random);
    return { name: JSON.stringify(text), steps: [text], requests: Infinity, swallows: true };
  });
}

function damage(text: string, random: Random): string {
  const at = random.below(text.length);
  const end = at + 1 + random.below(4);
  const byte = String.fromCharCode(random.below(256));
  return random.pick([
    text.slice(0, at) + byte + text.slice(at + 1),
    text.slice(0, at) + byte + text.slice(at),
    text.slice(0, at) + text.slice(end),
    text.slice(0, end) + text.slice(at),
    text.slice(0, at) + random.pick(['\r', '\n', '\r\n', '\0', ' ', '\t', ':']) + text.slice(at),
  ]);
}
