import { get, hidden, hidingBody, type Malformed, post } from './malformed.ts';
import { untilResponse } from './raw-http.ts';

const lines: Malformed[] = [
  { name: 'LF alone', steps: ['GET /healthz HTTP/1.1\nHost: wall\n\n'] },
  { name: 'CR alone', steps: ['GET /healthz HTTP/1.1\rHost: wall\r\r'], swallows: true },
  { name: 'a LF in a value', steps: [get('/healthz', `X: a\n\n${hidden}`)], hides: true, visibleToNginx: true },
  { name: 'a CR in a value', steps: [get('/healthz', `X: a\r\r${hidden}`)], hides: true },
  { name: 'a space before the colon', steps: [get('/healthz', 'X : y\r\n')] },
  { name: 'a header without a colon', steps: [get('/healthz', 'X\r\n')] },
  { name: 'a header without a name', steps: [get('/healthz', ': y\r\n')] },
  { name: 'a NUL in a name', steps: [get('/healthz', 'X\0: y\r\n')] },
  { name: 'a NUL in a value', steps: [get('/healthz', 'X: y\0\r\n')] },
  { name: 'eight bits in a name', steps: [get('/healthz', 'X\xff: y\r\n')] },
  { name: 'eight bits in a value', steps: [get('/healthz', 'X: \xff\xfe\r\n')] },
  { name: 'eight bits in the path', steps: [get('/api/v1/users/\xff\xfe')] },
  { name: 'a NUL in the path', steps: [get('/api/v1/users/\0')] },
  { name: 'a tab in the path', steps: [get('/api/v1/users/\t')] },
  { name: 'a space in the path', steps: [get('/api/v1/users/a b')] },
  { name: 'an empty line before', steps: [`\r\n${get('/healthz')}`] },
  { name: 'a thousand empty lines before', steps: [`${'\r\n'.repeat(1_000)}${get('/healthz')}`] },
  { name: 'a folded line', steps: [get('/healthz', 'X: a\r\n b\r\n')] },
  { name: 'no host', steps: ['GET /healthz HTTP/1.1\r\n\r\n'] },
  { name: 'two hosts', steps: [get('/healthz', 'Host: other\r\n')] },
  { name: 'an empty host', steps: ['GET /healthz HTTP/1.1\r\nHost:\r\n\r\n'] },
  ...['wall/path', 'user@wall', 'wall:99999', 'wall, other', '[::1', 'wall\xff', '../..', "';--"].map(
    (host): Malformed => ({
      name: `the host ${host}`,
      steps: [`GET / HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\n\r\n`],
    }),
  ),
];

const startLines: Malformed[] = [
  ...[
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
    'TRACE / HTTP/1.1',
    'CONNECT other:443 HTTP/1.1',
    'CONNECT / HTTP/1.1',
    'BREW /pot HTTP/1.1',
    'get / HTTP/1.1',
    'PROPFIND / HTTP/1.1',
    'QUERY / HTTP/1.1',
    'GET / HTTP/1.2',
    'GET / HTTP/2.0',
    'GET / HTTP/9.9',
    'GET / HTTP/1.10',
    'GET / HTTP/0.9',
    'GET / http/1.1',
    'GET / HTTPS/1.1',
    'GET / ICE/1.0',
    'GET / RTSP/1.0',
    'GET /',
    'GET',
    '',
  ].map((line): Malformed => ({ name: JSON.stringify(line), steps: [`${line}\r\nHost: wall\r\n\r\n`] })),
  { name: 'HTTP/0.9', steps: ['GET /healthz\r\n', { untilQuietMs: 200 }, { endBy: 'half-close' }] },
  { name: 'HTTP/1.0', steps: ['GET /healthz HTTP/1.0\r\n\r\n'] },
  { name: 'HTTP/1.0 that stays', steps: ['GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'] },
  {
    name: 'HTTP/1.0 with chunks',
    steps: [`POST /api/v1/posts HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n${hidingBody}`],
    hides: true,
  },
  { name: 'HTTP/2 from the start', steps: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', Buffer.alloc(9)] },
  { name: 'a TLS hello', steps: [Buffer.from('16030100c8010000c40303'.padEnd(400, '0'), 'hex')] },
  { name: 'an SSH hello', steps: ['SSH-2.0-OpenSSH_9.6\r\n'] },
  { name: 'noise', steps: [Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 151 + 7) % 256))] },
];

/** Bytes after a request to change the protocol are not read as HTTP until there is a response. */
const upgrades: Malformed[] = [
  {
    name: 'an upgrade to h2c',
    steps: [
      get(
        '/healthz',
        'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n',
      ),
      untilResponse,
    ],
  },
  {
    name: 'an upgrade to websocket',
    steps: [
      get(
        '/api/v1/events',
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
      ),
      untilResponse,
    ],
  },
  {
    name: 'an upgrade of a body',
    steps: [post(`Connection: Upgrade\r\nUpgrade: a\r\nContent-Length: ${hidden.length}`, hidden), untilResponse],
    hides: true,
  },
  { name: 'Connection: close, keep-alive', steps: [get('/healthz', 'Connection: close, keep-alive\r\n')] },
  { name: 'Connection: Host', steps: [get('/healthz', 'Connection: Host, Content-Length\r\n')] },
  {
    name: 'Expect: 100-continue',
    steps: [post('Expect: 100-continue\r\nContent-Length: 2', ''), { untilQuietMs: 200 }, '{}'],
    requests: 2,
  },
  { name: 'Expect: something else', steps: [post('Expect: the-unexpected\r\nContent-Length: 2', '{}')] },
];

/** Invalid lines, unusual requests, and other protocols. */
export const badLines: readonly Malformed[] = [...lines, ...startLines, ...upgrades];
