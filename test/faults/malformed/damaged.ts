import { Random } from '../../../demo/random.ts';
import { get, type Malformed, post } from './malformed.ts';

const seed = 8;
const damages = 6;
/** A damaged request may mean anything. */
const anyNumber = 1_000;

const valid = [
  get('/healthz', 'Accept: */*\r\n'),
  get('/', 'Accept: text/html\r\nAccept-Language: ru\r\n'),
  post('Content-Length: 12', '{"text":"a"}'),
  post('Transfer-Encoding: chunked', '5\r\n{"tex\r\n7\r\nt":"a"}\r\n0\r\n\r\n'),
  get('/api/v1/posts?page=1&limit=10', 'Authorization: Bearer a\r\nCookie: session=b; c=d\r\n'),
];

/** Requests in which random bytes are changed, lost or doubled; the same ones in every run. */
export function damaged(count: number): Malformed[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    let text = random.pick(valid);
    for (let left = 1 + random.below(damages); left > 0; left -= 1) text = damage(text, random);
    return { name: JSON.stringify(text), steps: [text], requests: anyNumber, swallows: true };
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
