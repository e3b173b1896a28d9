import { addresses } from '#contract/addresses.ts';
import type { ApiToken } from '#contract/api-tokens.ts';
import type { Device } from '#contract/sessions.ts';
import { deviceName, type Letter, type Wall } from './letter.ts';

/** Content of a mail with a code. */
export interface CodeMail {
  kind: 'code';
  purpose: keyof typeof purposes;
  code: string;
  device: Device;
  ttlSeconds: number;
  /** The wall has no mail server, so its owners may read the code until it expires. */
  isForOwners?: true;
}

const purposes = {
  login: { subject: 'код для входа', lead: 'Ваш код для входа:' },
  registration: { subject: 'код для регистрации', lead: 'Ваш код для регистрации:' },
  'email-change': { subject: 'код для смены адреса', lead: 'Код, который подтверждает этот адрес:' },
  moderation: { subject: 'код модератора', lead: 'Код, который подтверждает, что решения на стене принимаете вы:' },
  'program-token': { subject: 'код для токена', lead: 'Код, после которого будет создан токен для программы:' },
  deletion: { subject: 'код для удаления учётной записи', lead: 'Код, после которого учётная запись будет удалена:' },
};

/** An assurance for a recipient who did not request the code. */
const notRequested = {
  login: 'без кода войти нельзя',
  registration: 'без кода войти нельзя',
  'email-change': 'без кода адрес не изменится',
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

const tokenMay: Record<ApiToken['scope'], string> = {
  read: 'читать от вашего имени',
  write: 'читать и писать от вашего имени',
  feed: 'читать ленты закрытой стены',
};

/** A notice to the owner of an account about a security event, or to keepers about reports. */
export type Notice =
  | { kind: 'new-device'; device: Device; at: number }
  | {
      kind: 'email-changed';
      email: string;
      /** Token of the link that undoes the change. */
      undo: string | undefined;
      at: number;
    }
  | { kind: 'email-change-asked'; email: string; undo: string; effectiveAt: number; at: number }
  | { kind: 'email-restored'; email: string; at: number }
  | { kind: 'program-token'; name: string; scope: ApiToken['scope']; at: number }
  | { kind: 'deleted'; at: number }
  | { kind: 'guessed'; at: number }
  | { kind: 'reports'; posts: number; at: number };

export function noticeMail(notice: Notice, { appName, publicUrl }: Wall): Letter {
  const devices = { link: publicUrl + addresses.settingsDevices.href() };
  const undoLink = (token: string) => ({ link: publicUrl + addresses.undoEmail.href({}, { token }) });
  const at = moment(notice.at);
  switch (notice.kind) {
    case 'new-device':
      return {
        subject: `Вход с нового устройства — ${appName}`,
        paragraphs: [
          `${at} в вашу учётную запись вошли с нового устройства: ${deviceName(notice.device)}.`,
          'Если это были вы, ничего делать не нужно. Если нет — завершите этот сеанс на странице устройств:',
          devices,
        ],
        appName,
      };
    case 'email-changed':
      return {
        subject: `Адрес учётной записи изменён — ${appName}`,
        paragraphs: [
          `${at} адрес вашей учётной записи изменили на ${masked(notice.email)}. Код для входа теперь приходит туда, а не сюда.`,
          'Если это сделали вы, ничего делать не нужно.',
          ...(notice.undo === undefined
            ? ['Если нет — завершите чужие сеансы на странице устройств:', devices]
            : [
                'Если нет — отмените: прежний адрес вернётся, все сеансы завершатся, и трое суток адрес нельзя будет изменить. Ссылка действует 72 часа и только один раз:',
                undoLink(notice.undo),
              ]),
        ],
        appName,
      };
    case 'email-change-asked':
      return {
        subject: `Адрес учётной записи хотят изменить — ${appName}`,
        paragraphs: [
          `${at} тех, кто ведёт стену, попросили изменить адрес вашей учётной записи на ${masked(notice.email)}: попросивший сказал, что у него нет доступа к этой почте. Адрес изменится ${moment(notice.effectiveAt)}.`,
          'Если это были вы, ничего делать не нужно. Если нет — откажитесь: адрес останется прежним, а все сеансы завершатся. Ссылка действует 48 часов и только один раз:',
          undoLink(notice.undo),
        ],
        appName,
      };
    case 'email-restored':
      return {
        subject: `Смена адреса отменена — ${appName}`,
        paragraphs: [
          `${at} смену адреса отменили по ссылке из письма на прежний адрес, ${masked(notice.email)}. Код для входа снова приходит туда, все сеансы завершены.`,
          'Если смену отменили не вы, напишите тем, кто ведёт стену.',
        ],
        appName,
      };
    case 'program-token':
      return {
        subject: `Создан токен для программы — ${appName}`,
        paragraphs: [
          `${at} для вашей учётной записи создан токен «${notice.name}». С ним программа может ${tokenMay[notice.scope]}.`,
          'Если это сделали вы, ничего делать не нужно. Если нет — завершите токен на странице токенов, а чужие сеансы — на странице устройств:',
          { link: publicUrl + addresses.settingsApiTokens.href() },
          devices,
        ],
        appName,
      };
    case 'deleted':
      return {
        subject: `Учётная запись удалена — ${appName}`,
        paragraphs: [
          `${at} ваша учётная запись удалена: записи, ответы и отметки убраны, все сеансы завершены. Вернуть её нельзя.`,
          'Если это сделали не вы, напишите тем, кто ведёт стену.',
        ],
        appName,
      };
    case 'reports':
      return {
        subject: `Жалобы ждут решения: ${notice.posts} — ${appName}`,
        paragraphs: [
          `Больше часа ждут решения жалобы на записи: ${notice.posts}.`,
          { link: publicUrl + addresses.moderation.href() },
          'Это письмо получают все, кто ведёт стену. Владелец отключает такие письма на странице «Хозяйство».',
        ],
        appName,
      };
    case 'guessed':
      return {
        subject: `Кто-то подбирает код — ${appName}`,
        paragraphs: [
          `За сутки код к вашей учётной записи ввели неверно десять раз, последний раз ${at}.`,
          'Если это были вы, запросите новый код и введите его из последнего письма. Если нет — кто-то пробует войти вместо вас. Без кода из вашей почты это не удастся: после нескольких ошибок попытки прекращаются.',
          'Никому не сообщайте коды из писем. Проверьте, нет ли среди ваших устройств чужих, и завершите чужие сеансы:',
          devices,
        ],
        appName,
      };
  }
}

const format = new Intl.DateTimeFormat('ru', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** In UTC, because the server does not know the reader's time zone. */
export const moment = (at: number): string => `${format.format(at * 1_000)} UTC`;

const shortFormat = new Intl.DateTimeFormat('ru', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

export const shortMoment = (at: number): string => `${shortFormat.format(at * 1_000)} UTC`;

/** Masks an address: its owner recognizes it, but another reader of an old mailbox does not learn it. */
function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email[0]}***${email.slice(at)}`;
}
