import type { Device } from '#contract/sessions.ts';

/** As bowser calls them, by which browsers describe themselves. */
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
 * What a device says of itself is anybody's text, and the letter goes to whom they choose: names come from these lists,
 * and of the rest only the number of a version.
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
