import type { Device } from '#contract/sessions.ts';

/** Names from bowser, which the web client uses to describe its browser. */
const browsers = new Set([
  'Amazon Silk',
  'Android Browser',
  'Brave',
  'Chrome',
  'Chromium',
  'DuckDuckGo',
  'Electron',
  'Epiphany',
  'Firefox',
  'Focus',
  'Google Search',
  'HeyTap Browser',
  'Internet Explorer',
  'LibreWolf',
  'Maxthon',
  'Microsoft Edge',
  'NAVER Whale Browser',
  'Opera',
  'Pale Moon',
  'Puffin',
  'QQ Browser',
  'Safari',
  'Sailfish',
  'Samsung Internet for Android',
  'SeaMonkey',
  'UC Browser',
  'Vivaldi',
  'Vivo Browser',
  'WebOS Browser',
  'WeChat',
  'Yandex Browser',
]);

const systems = [
  'Android',
  'Chrome OS',
  'HarmonyOS',
  'iOS',
  'Linux',
  'macOS',
  'Tizen',
  'WebOS',
  'Windows Phone',
  'Windows',
];

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
