import { BROWSER_MAP, OS_MAP } from 'bowser';
import type { Device } from '#contract/sessions.ts';

/** The names that the web client can send: it describes its browser with the same library. */
const browsers = new Set(Object.values(BROWSER_MAP));
/** Longer names first, because some begin with another one. */
const systems = Object.values(OS_MAP).toSorted((a, b) => b.length - a.length);

/**
 * The device description is untrusted, and the sender of the request chooses the recipient of the mail. To prevent spam
 * through the mails, names come only from these lists, and a version is reduced to its first number.
 */
export function deviceName({ userAgent, userAgentVersion, os }: Device): string {
  const browser = browsers.has(userAgent) ? withVersion(userAgent, userAgentVersion) : '';
  const system = systems.find((name) => os === name || os.startsWith(`${name} `));
  const parts = [browser, system ? withVersion(system, os.slice(system.length + 1)) : ''];
  return parts.filter((part) => part !== '').join(', ') || 'неизвестное устройство';
}

function withVersion(name: string, version: string): string {
  const [number] = /^\d{1,3}(?![\d-])/.exec(version) ?? [];
  return number === undefined ? name : `${name} ${number}`;
}
