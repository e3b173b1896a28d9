import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const { subtle } = webcrypto;
type Bytes = Buffer<ArrayBuffer>;
const fromText = (text: string): Bytes => Buffer.from(text, 'base64url');

interface Message {
  title: string;
  body?: string;
  url: string;
  tag: string;
}

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Bytes;
}

/** A browser that has subscribed. It decrypts messages with Web Crypto, independently of the code that encrypts them. */
export interface PushBrowser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** The messages that the browser has received. */
  messages(): Promise<Message[]>;
  /** Waits for message number `count`. */
  message(count?: number): Promise<Message>;
}

/** `await using` closes it. */
export interface PushServer extends AsyncDisposable {
  /** The value for the setting `PUSH_HOSTS`. */
  host: string;
  received: Received[];
  /** The status of the next responses. With 0 the server does not respond. */
  status: number;
  subscribe(): Promise<PushBrowser>;
}

/** Starts a push service on the loopback interface, with a certificate that no client trusts. */
export async function startPushServer(): Promise<PushServer> {
  const pem = execFileSync(
    'openssl',
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout - -subj /CN=push'.split(' '),
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const received: Received[] = [];
  const service = createServer({ key: pem, cert: pem }, async (request, response) => {
    received.push({ path: request.url!, headers: request.headers, body: Buffer.from(await buffer(request)) });
    if (server.status > 0) response.writeHead(server.status).end();
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  service.unref();
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;

  async function subscribe(): Promise<PushBrowser> {
    const pair = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
    const point = Buffer.from(await subtle.exportKey('raw', pair.publicKey));
    const auth = randomBytes(16);
    const path = `/send/${randomBytes(6).toString('hex')}`;
    const messages = () =>
      Promise.all(
        received
          .filter((one) => one.path === path)
          .map(async ({ body }) => JSON.parse(await decrypted(body, pair.privateKey, point, auth)) as Message),
      );
    return {
      subscription: {
        endpoint: `https://${host}${path}`,
        keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
      },
      messages,
      async message(count = 1) {
        for (let tries = 0; tries < 1_000; tries += 1) {
          const all = await messages();
          if (all.length >= count) return all[count - 1]!;
          await pause(20);
        }
        throw new Error(`No push message ${count} has come`);
      },
    };
  }

  const server: PushServer = {
    host,
    received,
    status: 201,
    subscribe,
    async [Symbol.asyncDispose]() {
      service.closeAllConnections();
      service.close();
      await once(service, 'close');
    },
  };
  return server;
}

/** Decrypts a message like a browser (RFC 8291). */
async function decrypted(body: Bytes, key: webcrypto.CryptoKey, point: Bytes, auth: Bytes): Promise<string> {
  const salt = body.subarray(0, 16);
  assert.equal(body.readUInt8(20), 65);
  const sender = body.subarray(21, 86);
  const raw = { name: 'ECDH', namedCurve: 'P-256' };
  const shared = await subtle.deriveBits(
    { name: 'ECDH', public: await subtle.importKey('raw', sender, raw, false, []) },
    key,
    256,
  );
  const derive = async (from: ArrayBuffer | Bytes, by: Bytes, info: Bytes, bytes: number): Promise<ArrayBuffer> =>
    subtle.deriveBits(
      { name: 'HKDF', hash: 'SHA-256', salt: by, info },
      await subtle.importKey('raw', from, 'HKDF', false, ['deriveBits']),
      8 * bytes,
    );
  const secret = await derive(shared, auth, Buffer.concat([Buffer.from('WebPush: info\0'), point, sender]), 32);
  const content = await derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = await derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const opened = await subtle.decrypt(
    { name: 'AES-GCM', iv: nonce },
    await subtle.importKey('raw', content, 'AES-GCM', false, ['decrypt']),
    body.subarray(86),
  );
  const text = Buffer.from(opened);
  assert.equal(text.at(-1), 2, 'the last record ends with its delimiter');
  return text.subarray(0, -1).toString();
}

/** Verifies the signature of a sender (VAPID). Returns its key and claims. */
export async function vapidOf({ headers }: Pick<Received, 'headers'>): Promise<{ key: string; claims: object }> {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization!)!;
  const [head, claims, signature] = token!.split('.') as [string, string, string];
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const known = await subtle.importKey('raw', fromText(key!), algorithm, false, ['verify']);
  assert.deepEqual(JSON.parse(fromText(head).toString()), { typ: 'JWT', alg: 'ES256' });
  assert.ok(await subtle.verify(algorithm, known, fromText(signature), Buffer.from(`${head}.${claims}`)));
  return { key: key!, claims: JSON.parse(fromText(claims).toString()) };
}
