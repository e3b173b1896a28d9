import { randomUUID } from 'node:crypto';

/** Supplies the connections of a load with requests, one after another. */
export interface RequestSource {
  next(): Buffer;
}

/** GET requests in a cycle, encoded in advance. Each round of a measurement continues where the last one stopped. */
export class Requests implements RequestSource {
  #bytes: Buffer[];
  #sent = 0;

  constructor(paths: readonly string[], headers: Record<string, string> = {}) {
    this.#bytes = paths.map((path) => encode('GET', path, headers));
  }

  next(): Buffer {
    return this.#bytes[this.#sent++ % this.#bytes.length]!;
  }
}

export function encode(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  headers: Record<string, string>,
  body = '',
): Buffer {
  const length = method !== 'GET' && { 'content-length': String(Buffer.byteLength(body)) };
  const head = Object.entries({ host: 'localhost', ...headers, ...length })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

/** Requests made one at a time from their number, which starts at 0. */
function generated(request: (i: number) => Buffer): RequestSource {
  let sent = 0;
  return { next: () => request(sent++) };
}

/** Given requests in a cycle. */
export const inTurn = (requests: readonly Buffer[]): RequestSource => generated((i) => requests[i % requests.length]!);

const words = ['хлеб', 'снег', 'утро', 'велосипед', 'книга', 'сад', 'окно', 'море', 'чай', 'двор', 'кот', 'поезд'];

/** Searches for one word, then for two. */
export const searching = (): RequestSource =>
  generated((i) => {
    const [first, second] = [words[i % words.length]!, words[Math.floor(i / words.length) % words.length]!];
    const q = i % 2 === 0 ? first : `${first} ${second}`;
    return encode('GET', `/api/v1/posts/search?${new URLSearchParams({ q })}`, {});
  });

/** People publish in turn. Each post has its own idempotency key, as in the web app. */
export const publishing = (tokens: readonly string[]): RequestSource =>
  generated((i) => {
    const text = `Запись ${i}: сегодня на стене людно, и каждому есть что сказать.`;
    return encode('POST', '/api/v1/posts', writing(tokens[i % tokens.length]!), JSON.stringify({ text }));
  });

/** People reply in turn, to one post after another. */
export const replying = (tokens: readonly string[], ids: readonly number[]): RequestSource =>
  generated((i) => {
    const body = JSON.stringify({ text: `Ответ ${i}: и я так думаю.` });
    return encode('POST', `/api/v1/posts/${ids[i % ids.length]!}/replies`, writing(tokens[i % tokens.length]!), body);
  });

/** Everybody likes one post, then the next; after the last post they unlike them in the same order. */
export const liking = (tokens: readonly string[], ids: readonly number[]): RequestSource =>
  generated((i) => {
    const round = Math.floor(i / tokens.length);
    const method = Math.floor(round / ids.length) % 2 === 0 ? 'POST' : 'DELETE';
    const headers = { authorization: `Bearer ${tokens[i % tokens.length]!}` };
    return encode(method, `/api/v1/posts/${ids[round % ids.length]!}/likes`, headers);
  });

const writing = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  'idempotency-key': randomUUID(),
});

/** Mixes sources evenly, each in proportion to its parts. */
export function weighted(sources: ReadonlyArray<{ parts: number; requests: RequestSource }>): RequestSource {
  const credit = sources.map(() => 0);
  const whole = sources.reduce((total, { parts }) => total + parts, 0);
  return generated(() => {
    sources.forEach(({ parts }, i) => (credit[i]! += parts));
    const next = credit.indexOf(Math.max(...credit));
    credit[next]! -= whole;
    return sources[next]!.requests.next();
  });
}
