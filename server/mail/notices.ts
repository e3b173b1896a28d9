import type { Device } from '#contract/sessions.ts';
import { deviceName } from './device-name.ts';
import type { Letter } from './letter.ts';

/** What is told to the owner of an account, unasked. */
export type Notice =
  | { kind: 'new-device'; device: Device; at: number }
  | { kind: 'email-changed'; email: string; at: number }
  | { kind: 'deleted'; at: number }
  | { kind: 'guessed'; at: number };

interface Wall {
  appName: string;
  publicUrl: string;
}

export function noticeMail(notice: Notice, { appName, publicUrl }: Wall): Letter {
  const devices = { link: `${publicUrl}/settings/devices` };
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
          `${at} адрес вашей учётной записи изменили на ${veiled(notice.email)}. Код для входа теперь приходит туда, а не сюда.`,
          'Если это сделали вы, ничего делать не нужно. Если нет — с устройства, на котором вы ещё вошли, завершите чужие сеансы и верните свой адрес:',
          devices,
          'Если такого устройства нет, напишите тем, кто ведёт стену.',
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

/** The server does not know its readers' time zone. */
const moment = (at: number): string => `${format.format(at * 1_000)} UTC`;

/** Enough to know one's own address by; whoever reads an old mailbox need not learn it. */
function veiled(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email[0]}***${email.slice(at)}`;
}
