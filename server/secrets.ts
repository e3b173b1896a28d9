import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, isWeakSecret, secretLength } from './config.ts';
import { makeDataFolder } from './data-folder.ts';

/** The purpose of a signature. A signature is not valid for another purpose. */
type Signed = 'access token' | 'mailed link' | 'form' | 'claim' | 'owner link' | 'write';

/**
 * Operations with keys derived from the operator's secret, one key for each use. Values made with the previous secret
 * are accepted; new values are made only with the current one.
 */
export interface Secrets {
  codeMac(parts: readonly string[]): string;
  isMacOfCode(mac: string, parts: readonly string[]): boolean;
  sign(use: Signed, text: string): string;
  isSignature(signature: string, use: Signed, text: string): boolean;
  /** Keyed hash of an address, for the log. */
  hashAddress(address: string): string;
  seal(text: string): string;
  unseal(sealed: string): string;
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export function makeSecrets(secret: string, previous?: string): Secrets {
  const current = secretsOf(secret);
  if (previous === undefined) return current;
  const old = secretsOf(previous);
  return {
    ...current,
    isMacOfCode: (...mac) => current.isMacOfCode(...mac) || old.isMacOfCode(...mac),
    isSignature: (...signed) => current.isSignature(...signed) || old.isSignature(...signed),
    unseal(sealed) {
      try {
        return current.unseal(sealed);
      } catch {
        return old.unseal(sealed);
      }
    },
  };
}

function secretsOf(secret: string): Secrets {
  const key = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `stena ${use}`, 32));
  const codeKey = key('code');
  const signing: Record<Signed, Buffer> = {
    'access token': key('access token'),
    'mailed link': key('mailed link'),
    form: key('form'),
    claim: key('claim'),
    'owner link': key('owner link'),
    write: key('write'),
  };
  const sealKey = key('sealed mail');
  const addressKey = key('address in the log');
  const hmac = (of: Buffer, text: string): string => createHmac('sha256', of).update(text).digest('base64url');
  const codeMac = (parts: readonly string[]): string => hmac(codeKey, JSON.stringify(parts));
  const sign = (use: Signed, text: string): string => hmac(signing[use], text);

  return {
    codeMac,
    isMacOfCode: (mac, parts) => isSame(mac, codeMac(parts)),
    sign,
    isSignature: (signature, use, text) => isSame(signature, sign(use, text)),
    hashAddress: (address) => hmac(addressKey, address).slice(0, 16),
    seal(text) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, sealKey, iv);
      const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([iv, sealing.getAuthTag(), body]).toString('base64url');
    },
    unseal(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const opening = createDecipheriv(cipher, sealKey, bytes.subarray(0, ivBytes));
      opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return opening.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + opening.final('utf8');
    },
  };
}

/** Compares two base64url strings of 32 bytes. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(Buffer.from(given), Buffer.from(expected));

export const secretFile = (dataDir: string): string => join(dataDir, 'secret');

/** The secret in the data folder, created at the first start; concurrent processes create it once. */
export async function storedSecret(dataDir: string): Promise<string> {
  await makeDataFolder(dataDir);
  const file = secretFile(dataDir);
  const secret = (await readSecret(file)) ?? (await makeSecret(file));
  if (isWeakSecret(secret)) {
    throw new ConfigError(
      `Секрет в ${file} короче ${secretLength} знаков: верните его из копии или удалите файл, и будет создан новый.`,
    );
  }
  return secret;
}

/** Reads the secret without writing, so that a wall on a full disk starts. */
async function readSecret(file: string): Promise<string | undefined> {
  try {
    const secret = await readFile(file, 'utf8');
    await chmod(file, 0o600);
    return secret.trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function makeSecret(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readSecret(file))!;
}
