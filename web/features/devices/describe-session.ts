import type { Device } from '#contract/sessions.ts';
import { relativeTime } from '../../lib/time.ts';

/** 'Chrome 142'. The rest of the version does not help to recognise a device. */
export function deviceName({ userAgent, userAgentVersion }: Device): string {
  const [major = ''] = userAgentVersion.split('.');
  return `${browserName(userAgent)} ${major}`.trim();
}

export const browserName = (userAgent: string): string => userAgent || 'Неизвестный браузер';
export const systemName = (os: string): string => os || 'Неизвестная система';

/** For sessions other than the current one, and for API tokens. */
export function lastActive(at: number, now: number): string {
  const time = relativeTime(at, now);
  return time === 'сейчас' ? 'только что' : `${time} назад`;
}
