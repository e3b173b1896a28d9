import type { Device } from '#contract/sessions.ts';
import type { Letter } from './letter.ts';

/** What a mail with a code has to say. */
export interface CodeMail {
  kind: 'code';
  purpose: 'login' | 'registration';
  code: string;
  device: Device;
  ttlSeconds: number;
}

const purposes = {
  login: { subject: 'Код для входа', lead: 'Ваш код для входа:' },
  registration: { subject: 'Код для регистрации', lead: 'Ваш код для регистрации:' },
};

/** The code is the only run of six digits in the text: mail programs offer to copy it. */
export function codeMail({ purpose, code, device, ttlSeconds }: CodeMail, appName: string): Letter {
  const { subject, lead } = purposes[purpose];
  return {
    subject: `${subject} — ${appName}`,
    paragraphs: [
      lead,
      { code },
      `Он действует ${duration(ttlSeconds)} и подходит только к тому устройству, на котором вы его запросили: ${deviceName(device)}.`,
      'Никому не сообщайте этот код. Если вы его не запрашивали, ничего делать не нужно: без кода войти нельзя.',
    ],
    appName,
  };
}

const plural = new Intl.PluralRules('ru');
const minutes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'минуту', few: 'минуты' };
const seconds: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'секунду', few: 'секунды' };

function duration(total: number): string {
  const whole = Math.floor(total / 60);
  return whole > 0
    ? `${whole} ${minutes[plural.select(whole)] ?? 'минут'}`
    : `${total} ${seconds[plural.select(total)] ?? 'секунд'}`;
}

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
