import assert from 'node:assert/strict';
import { createHash, createVerify, type KeyObject } from 'node:crypto';

export interface Signature {
  domain: string;
  selector: string;
  /** Names of the signed headers, in lower case. */
  signed: string[];
}

/** Verifies the DKIM signature of a message (RFC 6376, rsa-sha256, relaxed/relaxed) with the public key of its sender. */
export function verifyDkim(source: string, publicKey: KeyObject): Signature {
  const end = source.indexOf('\r\n\r\n');
  const headers = source.slice(0, end).split(/\r\n(?![ \t])/);
  const header = (name: string): string | undefined =>
    headers.findLast((line) => line.toLowerCase().startsWith(`${name}:`));
  const own = header('dkim-signature');
  assert.ok(own, 'the message is not signed');
  const tags = new Map<string, string>();
  for (const tag of own.slice(own.indexOf(':') + 1).split(';')) {
    const equals = tag.indexOf('=');
    tags.set(tag.slice(0, equals).trim(), tag.slice(equals + 1).replace(/\s+/g, ''));
  }
  assert.deepEqual([tags.get('a'), tags.get('c')], ['rsa-sha256', 'relaxed/relaxed']);
  const bodyHash = createHash('sha256')
    .update(relaxedBody(source.slice(end + 4)))
    .digest('base64');
  assert.equal(tags.get('bh'), bodyHash, 'hash of the body');
  const signed = tags.get('h')!.toLowerCase().split(':');
  const lines = signed.flatMap((name) => header(name) ?? []).map((line) => `${relaxedHeader(line)}\r\n`);
  const unsigned = relaxedHeader(own.replace(/\bb=[^;]*$/, 'b='));
  const isValid = createVerify('RSA-SHA256')
    .update(lines.join('') + unsigned)
    .verify(publicKey, tags.get('b')!, 'base64');
  assert.ok(isValid, 'the signature does not fit the headers');
  return { domain: tags.get('d')!, selector: tags.get('s')!, signed };
}

function relaxedHeader(line: string): string {
  const colon = line.indexOf(':');
  return `${line.slice(0, colon).trim().toLowerCase()}:${line
    .slice(colon + 1)
    .replace(/\s+/g, ' ')
    .trim()}`;
}

function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `${line}\r\n`).join('');
}
