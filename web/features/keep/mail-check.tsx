import { useState } from 'react';
import { checkMail, type MailFinding } from '#contract/keep.ts';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useRequest } from '../session/use-request.ts';
import { findingStates } from './finding-states.ts';
import { Section } from './section.tsx';
import styles from './section.module.css';

/** Sends the owner a letter, and shows what the mail server said and which DNS records are missing. */
export function MailCheck({ onChecked }: { onChecked: () => Promise<void> }) {
  const [findings, setFindings] = useState<readonly MailFinding[]>([]);
  const { busy, error, send } = useRequest();

  const check = () =>
    send(async () => {
      setFindings((await call(checkMail, {})).findings);
      await onChecked();
    });
  return (
    <Section id="mail" title="Почта">
      <p className={styles.quiet}>
        Коды для входа приходят письмами. Проверьте, принимает ли их почтовый сервер и каких записей DNS не хватает.
      </p>
      <div>
        <Button busy={busy} onClick={() => void check()}>
          Отправить мне письмо
        </Button>
      </div>
      <FormError>{error}</FormError>
      <div role="status">
        <ul className={styles.list}>
          {findings.map(({ check: what, state, text, expected, found }) => (
            <li key={`${what} ${text}`}>
              <b>{findingStates[state]}</b> · {what}: {text}
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
          ))}
        </ul>
      </div>
    </Section>
  );
}
