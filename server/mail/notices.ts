import { addresses } from '#contract/addresses.ts';
import type { Device } from '#contract/sessions.ts';
import { deviceName } from './device-name.ts';
import type { Letter, Wall } from './letter.ts';

/** A notice to the owner of an account about a security event, or to those who keep the wall about reports. */
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
  | { kind: 'program-token'; name: string; scope: 'read' | 'write'; at: number }
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
          `${at} для вашей учётной записи создан токен «${notice.name}». С ним программа может ${notice.scope === 'read' ? 'читать' : 'читать и писать'} от вашего имени.`,
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

/** Masks an address: its owner recognizes it, but another reader of an old mailbox does not learn it. */
function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email[0]}***${email.slice(at)}`;
}
