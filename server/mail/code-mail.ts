import type { Device } from '#contract/sessions.ts';
import { deviceName } from './device-name.ts';
import type { Letter, Wall } from './letter.ts';

/** Content of a mail with a code. */
export interface CodeMail {
  kind: 'code';
  purpose: keyof typeof purposes;
  code: string;
  device: Device;
  ttlSeconds: number;
}

const purposes = {
  login: { subject: 'код для входа', lead: 'Ваш код для входа:' },
  registration: { subject: 'код для регистрации', lead: 'Ваш код для регистрации:' },
  'email-change': { subject: 'код для смены адреса', lead: 'Код, который подтверждает этот адрес:' },
  device: { subject: 'код для подтверждения устройства', lead: 'Код, который подтверждает новое устройство:' },
  moderation: { subject: 'код модератора', lead: 'Код, который подтверждает, что решения на стене принимаете вы:' },
  'program-token': { subject: 'код для токена', lead: 'Код, после которого будет создан токен для программы:' },
  deletion: { subject: 'код для удаления учётной записи', lead: 'Код, после которого учётная запись будет удалена:' },
};

/** An assurance for a recipient who did not request the code. */
const notRequested = {
  login: 'без кода войти нельзя',
  registration: 'без кода войти нельзя',
  'email-change': 'без кода адрес не изменится',
  device:
    'без кода адрес учётной записи не изменится. Но кто-то вошёл под вашим именем: завершите чужие сеансы в настройках',
  moderation:
    'без кода никто не будет заблокирован. Но кто-то вошёл под вашим именем: завершите чужие сеансы в настройках',
  'program-token': 'без кода токен не появится. Но кто-то вошёл под вашим именем: завершите чужие сеансы в настройках',
  deletion: 'без кода ничего не удалится. Но кто-то вошёл под вашим именем: завершите чужие сеансы в настройках',
};

/**
 * The subject begins with the code, so that a notification shows it. The text contains it once and no other run of six
 * digits, so that mail programs recognize it.
 */
export function codeMail({ purpose, code, device, ttlSeconds }: CodeMail, { appName, publicUrl }: Wall): Letter {
  const { subject, lead } = purposes[purpose];
  return {
    subject: `${code} — ${subject}`,
    paragraphs: [
      lead,
      { code, host: new URL(publicUrl).hostname },
      `Он действует ${duration(ttlSeconds)} и подходит только к тому устройству, на котором вы его запросили: ${deviceName(device)}.`,
      `Никому не сообщайте этот код. Если вы его не запрашивали, ничего делать не нужно: ${notRequested[purpose]}.`,
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
