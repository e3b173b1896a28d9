import { addresses } from '#contract/addresses.ts';
import type { WallAdmin, MailFinding } from '#contract/wall-admin.ts';
import type { FormFields } from '#contract/page-data.ts';
import { MailLine } from '../../features/mail-state/mail-line.tsx';
import { Form } from '../../forms/form.tsx';
import type { Act } from '../../forms/page-module.ts';
import { ForInstaller } from './for-installer.tsx';
import styles from './wall-admin.module.css';

const stateNames: Readonly<Record<MailFinding['state'], string>> = {
  good: 'В порядке',
  missing: 'Исправить',
  unknown: 'Неизвестно',
  unchecked: 'Сверьте сами',
};

/** What became of the letter: `good` if the mail server has accepted it, `missing` if it has not, `unknown` if it was not sent. */
const letterIn = (findings: readonly MailFinding[]) => findings.find(({ check }) => check === 'Письмо')?.state;

/** Sends the owner a letter. `findings` is JSON with the answers of the mail server and of DNS, for the person who runs the server. */
export const sendTrial: Act = async ({ call }) => {
  const { findings } = await call('POST /keep/mail', {});
  return {
    message: letterIn(findings) === 'good' ? 'Письмо ушло' : 'Письмо не ушло',
    handed: { findings: JSON.stringify(findings) },
  };
};

/** The known state of the mail, and a button that sends a letter to find out more. */
export function MailCheck({ mail, made }: Pick<WallAdmin, 'mail'> & { made: FormFields }) {
  const found = JSON.parse(made['findings'] ?? '[]') as MailFinding[];
  const isConnected = mail.state !== 'none';
  return (
    <>
      {isConnected && <p className={styles.quiet}>Коды для входа приходят письмами.</p>}
      <div role="status">
        <MailLine mail={mail} />
        {letterIn(found) === 'good' && <p>Письмо ушло. Посмотрите, пришло ли оно и не попало ли в спам.</p>}
        {letterIn(found) === 'missing' && mail.state === 'left' && (
          <p>
            Письма вам сервер не принял. Проверьте <a href={addresses.settingsEmail.href()}>ваш адрес</a>.
          </p>
        )}
      </div>
      {isConnected && <Form act="mail" submit="Отправить мне письмо" variant="quiet" />}
      {(found.length > 0 || mail.said !== null || mail.today !== null || !isConnected) && (
        <ForInstaller>
          {!isConnected && (
            <li>Почтовый сервер указывают настройкой SMTP_URL, отправителя — MAIL_FROM: docs/guide/mail.md</li>
          )}
          {(mail.today !== null || mail.held_until !== null) && (
            <li>Сколько писем в сутки уходит, говорит настройка LETTERS_PER_DAY: docs/guide/mail.md</li>
          )}
          {mail.said !== null && (
            <li>
              Ответ почтового сервера: <code>{mail.said}</code>
            </li>
          )}
          {found.map((finding) => (
            <MailFindingRow key={`${finding.check} ${finding.text}`} {...finding} />
          ))}
        </ForInstaller>
      )}
    </>
  );
}

const MailFindingRow = ({ check, state, text, expected, found }: MailFinding) => (
  <li>
    <b>{stateNames[state]}</b> · {check}: {text}
    {expected !== undefined && state !== 'good' && (
      <p className={styles.quiet}>
        Нужно: <code>{expected}</code>
        {found && found.length > 0 && (
          <>
            . Найдено: <code>{found.join(' · ')}</code>
          </>
        )}
      </p>
    )}
  </li>
);
