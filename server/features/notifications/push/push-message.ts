import {
  createCipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  type ECDH,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

const curve = 'prime256v1';
const pointBytes = 65;
const authBytes = 16;
/** The size of a record (RFC 8188). One record holds the whole message. */
const recordBytes = 4_096;
/** Push services accept tokens that are valid for a day at most. */
const tokenSeconds = 12 * 3_600;

/** The keys of a browser's subscription, base64url. */
export interface BrowserKeys {
  p256dh: string;
  auth: string;
}

/** The pair of keys by which push services know this wall. */
export interface WallKey {
  /** An uncompressed point, base64url. */
  publicKey: string;
  /** Base64url of 32 bytes. */
  secret: string;
}

export function newWallKey(): WallKey {
  const pair = createECDH(curve);
  return { publicKey: pair.generateKeys('base64url'), secret: pair.getPrivateKey('base64url') };
}

/** Whether a message can be encrypted for these keys. */
export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== pointBytes || Buffer.from(auth, 'base64url').length !== authBytes) return false;
  const pair = createECDH(curve);
  pair.generateKeys();
  try {
    pair.computeSecret(point);
    return true;
  } catch {
    // Not a point of the curve.
    return false;
  }
}

interface Chosen {
  salt: Buffer;
  pair: ECDH;
}

function chosenAtRandom(): Chosen {
  const pair = createECDH(curve);
  pair.generateKeys();
  return { salt: randomBytes(16), pair };
}

const derived = (secret: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** The body of a message that only the browser can read: RFC 8291, with the content coding of RFC 8188. */
export function encrypted(text: string, keys: BrowserKeys, { salt, pair }: Chosen = chosenAtRandom()): Buffer {
  const browser = Buffer.from(keys.p256dh, 'base64url');
  const own = pair.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, own]);
  const secret = derived(pair.computeSecret(browser), Buffer.from(keys.auth, 'base64url'), info, 32);
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const cipher = createCipheriv('aes-128-gcm', key, derived(secret, salt, 'Content-Encoding: nonce\0', 12));
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(recordBytes);
  sizes.writeUInt8(pointBytes, 4);
  // The byte 2 ends the text of the last record.
  const record = [cipher.update(Buffer.concat([Buffer.from(text), Buffer.of(2)])), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, sizes, own, ...record]);
}

function signingKey({ publicKey, secret }: WallKey): KeyObject {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: secret } });
}

/** The header by which a push service knows the sender (RFC 8292). `contact`: a `mailto:` or `https:` URL; `now` in unix seconds. */
export function authorizationOf(key: WallKey, { origin }: URL, contact: string, now: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { aud: origin, exp: now + tokenSeconds, sub: contact };
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: signingKey(key), dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${key.publicKey}`;
}

/** A newer message with the same topic replaces an undelivered one. The hash hides from the push service which discussion it is. */
export const topicOf = ({ auth }: BrowserKeys, rootId: number): string =>
  createHmac('sha256', auth).update(String(rootId)).digest('base64url').slice(0, 32);
