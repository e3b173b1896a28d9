import { get, hidden, type Malformed, post } from './malformed.ts';

const large: Malformed[] = [
  {
    name: 'a thousand headers',
    steps: [get('/healthz', Array.from({ length: 1_000 }, (_, i) => `X-${i}: y\r\n`).join(''))],
  },
  { name: 'ten thousand headers', steps: [get('/healthz', 'X: y\r\n'.repeat(10_000))] },
  { name: 'a header of 64 kB', steps: [get('/healthz', `X: ${'y'.repeat(65_536)}\r\n`)] },
  { name: 'a header name of 64 kB', steps: [get('/healthz', `${'X'.repeat(65_536)}: y\r\n`)] },
  { name: 'cookies of 64 kB', steps: [get('/healthz', `Cookie: ${'a=b; '.repeat(13_000)}\r\n`)] },
  { name: 'an address of 64 kB', steps: [get(`/${'x'.repeat(65_536)}`)] },
  { name: 'an address of 14 kB', steps: [get(`/api/v1/posts?${'page=1&'.repeat(2_000)}`)] },
  { name: 'a method of 64 kB', steps: [`${'G'.repeat(65_536)} / HTTP/1.1\r\nHost: wall\r\n\r\n`] },
];

const bodies: Malformed[] = [
  ...['GET', 'HEAD', 'DELETE', 'OPTIONS'].flatMap((method): Malformed[] => [
    {
      name: `a body of ${method}`,
      steps: [`${method} /api/v1/posts HTTP/1.1\r\nHost: wall\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
      hides: true,
    },
    {
      name: `chunks of ${method}`,
      steps: [
        `${method} /healthz HTTP/1.1\r\nHost: wall\r\nTransfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
      ],
      hides: true,
    },
  ]),
  {
    name: 'a body refused before it came',
    steps: [post(`Content-Length: ${hidden.length}`, ''), { afterMs: 100 }, hidden],
    hides: true,
  },
  {
    name: 'a body over the limit',
    steps: [post('Content-Length: 100000', `${hidden}${' '.repeat(100_000 - hidden.length)}`)],
    hides: true,
  },
  { name: 'a body of 10 MB', steps: [post('Content-Length: 10000000', ''), Buffer.alloc(10_000_000, 0x20)] },
  { name: 'a body that ends early', steps: [post('Content-Length: 100', '{'), { endBy: 'half-close' }] },
  { name: 'headers that end early', steps: ['GET / HTTP/1.1\r\nHost: wa', { endBy: 'half-close' }] },
  { name: 'a question and a closed half', steps: [get('/healthz'), { endBy: 'half-close' }] },
  { name: 'nothing', steps: [{ endBy: 'half-close' }] },
  {
    name: 'a reset in the middle of the headers',
    steps: ['GET / HTTP/1.1\r\nHost: wa', { afterMs: 20 }, { endBy: 'reset' }],
  },
  {
    name: 'a reset in the middle of the body',
    steps: [post('Content-Length: 100', '{'), { afterMs: 20 }, { endBy: 'reset' }],
  },
  {
    name: 'a reset in the middle of the response',
    steps: [get('/').repeat(50), { afterMs: 5 }, { endBy: 'reset' }],
    requests: 50,
  },
];

const forged = '%0d%0a{"level":50,"msg":"forged"}';

/** Requests that try to write lines of their own into the log. */
const logged: Malformed[] = [
  { name: 'a log line in the path', steps: [get(`/${forged}`)] },
  { name: 'a log line in a query', steps: [get(`/api/v1/posts?page=${forged}`)] },
  {
    name: 'a log line in headers',
    steps: [
      get('/api/v1/posts', 'X: "}\x09{"level":50,"msg":"forged"}\r\nAuthorization: Bearer "}{"msg":"forged"}\r\n'),
    ],
  },
];

/** Requests that are too large, end too early, or try to forge log lines. */
export const badEnds: readonly Malformed[] = [...large, ...bodies, ...logged];
