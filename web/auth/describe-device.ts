import { limits } from '#contract/limits.ts';
import type { Device } from '#contract/sessions.ts';

/** What the list of sessions will call this device. Signing in does not fail for want of a name. */
export async function describeDevice(): Promise<Device> {
  try {
    const { default: bowser } = await import('bowser');
    const { browser, os } = bowser.parse(navigator.userAgent);
    return {
      userAgent: fitting(browser.name),
      userAgentVersion: fitting(browser.version),
      os: fitting([os.name, os.versionName ?? os.version].filter(Boolean).join(' ')),
    };
  } catch {
    return { userAgent: '', userAgentVersion: '', os: '' };
  }
}

const fitting = (text = ''): string => text.slice(0, limits.deviceFieldLength);
