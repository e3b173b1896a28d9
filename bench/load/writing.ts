import { randomUUID } from 'node:crypto';
import type { RequestSource } from './requests.ts';

function request(method: 'POST' | 'DELETE', path: string, headers: Record<string, string>, body = ''): Buffer {
  const head = Object.entries({ host: 'localhost', ...headers, 'content-length': String(Buffer.byteLength(body)) })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

/** These people publish in turn, each post with a key of its own, as the web app sends them. */
export function publishing(tokens: readonly string[]): RequestSource {
  let sent = 0;
  return {
    next() {
      sent += 1;
      const headers = {
        authorization: `Bearer ${tokens[sent % tokens.length]!}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      };
      const text = `Запись ${sent}: сегодня на стене людно, и каждому есть что сказать.`;
      return request('POST', '/api/v1/posts', headers, JSON.stringify({ text }));
    },
  };
}

/** These people answer one post after another. */
export function answering(tokens: readonly string[], ids: readonly number[]): RequestSource {
  let sent = 0;
  return {
    next() {
      sent += 1;
      const headers = { authorization: `Bearer ${tokens[sent % tokens.length]!}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ text: `Ответ ${sent}: и я так думаю.` });
      return request('POST', `/api/v1/posts/${ids[sent % ids.length]!}/replies`, headers, body);
    },
  };
}

/** These people like one post after another, all of them, and take it back again. */
export function liking(tokens: readonly string[], ids: readonly number[]): RequestSource {
  let sent = 0;
  return {
    next() {
      const token = tokens[sent % tokens.length]!;
      const round = Math.floor(sent / tokens.length);
      const method = Math.floor(round / ids.length) % 2 === 0 ? 'POST' : 'DELETE';
      sent += 1;
      return request(method, `/api/v1/posts/${ids[round % ids.length]!}/likes`, { authorization: `Bearer ${token}` });
    },
  };
}

/** So many reads, then one write. */
export function mixed(reads: RequestSource, writes: RequestSource, readsPerWrite: number): RequestSource {
  let sent = 0;
  return {
    next() {
      sent += 1;
      return sent % (readsPerWrite + 1) === 0 ? writes.next() : reads.next();
    },
  };
}
