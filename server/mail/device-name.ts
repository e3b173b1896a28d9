import type { Device } from '#contract/sessions.ts';

/** What the device says of itself is anybody's text: short, on one line, and without anything that looks like a code. */
export function deviceName({ userAgent, userAgentVersion, os }: Device): string {
  const name = [`${userAgent} ${userAgentVersion.split('.')[0]}`, os]
    .map((part) =>
      part
        .replace(/[^\p{L}\p{N} .,+()-]/gu, '')
        .replace(/\d{5,}/g, '')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 40),
    )
    .filter((part) => part !== '')
    .join(', ');
  return name || 'неизвестное устройство';
}
