import type { Device } from '#contract/sessions.ts';
import { relativeTime } from '../lib/time.ts';

/** 'Chrome 142': the whole version tells nobody which of their devices it is. */
export function deviceName({ userAgent, userAgentVersion }: Device): string {
  const [major = ''] = userAgentVersion.split('.');
  return `${browserName(userAgent)} ${major}`.trim();
}

export const browserName = (userAgent: string): string => userAgent || 'Неизвестный браузер';
export const systemName = (os: string): string => os || 'Неизвестная система';

/** Of a session that is not the current one. */
export function lastActive(at: number, now: number): string {
  const time = relativeTime(at, now);
  return time === 'сейчас' ? 'только что' : `${time} назад`;
}
