import { limits } from '#contract/limits.ts';
import type { Device } from '#contract/sessions.ts';

/** The name of a device in the list of sessions. Empty rather than an error: signing in does not depend on it. */
export async function describeDevice(agent: string = navigator.userAgent): Promise<Device> {
  try {
    const { default: bowser } = await import('bowser');
    const { browser, os } = bowser.parse(agent);
    return {
      userAgent: shortened(browser.name),
      userAgentVersion: shortened(browser.version),
      os: shortened([os.name, os.versionName ?? os.version].filter(Boolean).join(' ')),
    };
  } catch {
    return { userAgent: '', userAgentVersion: '', os: '' };
  }
}

const shortened = (text = ''): string => text.slice(0, limits.deviceFieldLength);
