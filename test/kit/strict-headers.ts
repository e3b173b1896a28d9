import assert from 'node:assert/strict';

const words = /=\?utf-8\?([qb])\?([!-~]*?)\?=/gi;

const decoded = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(words, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('latin1')
        : text
            .replaceAll('_', ' ')
            .replace(/=([\dA-F]{2})/g, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );

/** The headers of a mail by their names in lower case. Fails for what a strict mail program refuses (RFC 5322, RFC 2047). */
export function headersOf(source: string): Record<string, string> {
  const head = source.slice(0, source.indexOf('\r\n\r\n'));
  assert.doesNotMatch(head, /[^\r\n\t -~]/, 'headers are ASCII');
  assert.doesNotMatch(head.replaceAll('\r\n', ''), /[\r\n]/, 'lines end with CRLF');
  for (const line of head.split('\r\n')) assert.ok(line.length <= 998 && line.trim() !== '', line);
  const headers: Record<string, string> = {};
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name, value] = /^([!-9;-~]+): ?(.*)$/.exec(line) ?? assert.fail(line);
    const key = name!.toLowerCase();
    assert.ok(key === 'received' || !(key in headers), `${key} comes once`);
    headers[key] = Buffer.from(decoded(value!), 'latin1').toString();
  }
  for (const name of ['from', 'to', 'date', 'message-id', 'subject']) assert.ok(headers[name], name);
  assert.ok(!Number.isNaN(Date.parse(headers['date']!)));
  for (const name of ['message-id', 'in-reply-to', 'references']) {
    if (headers[name] !== undefined) assert.match(headers[name], /^<[^<>@\s]+@[^<>@\s]+>$/, name);
  }
  if (headers['list-id'] !== undefined) assert.match(headers['list-id'], /^<[a-z\d-]+(\.[a-z\d-]+)+>$/, 'RFC 2919');
  return headers;
}
