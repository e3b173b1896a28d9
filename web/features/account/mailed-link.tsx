import { type ReactNode, useId } from 'react';
import { addresses, type UndoOutcome, type UnsubscribeOutcome } from '#contract/addresses.ts';
import { Button } from '../../ui/button.tsx';
import styles from './form-page.module.css';

interface MailedLinkPageProps {
  title: string;
  titleId: string;
  children: ReactNode;
}

function MailedLinkPage({ title, titleId, children }: MailedLinkPageProps) {
  return (
    <div className={styles.page}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children}
    </div>
  );
}

const undoOutcomes: Record<UndoOutcome, { title: string; text: string }> = {
  done: {
    title: 'Смена адреса отменена',
    text: 'Все сеансы завершены. Войдите с прежним адресом; трое суток его нельзя изменить.',
  },
  used: {
    title: 'Смена уже отменена',
    text: 'Войдите с прежним адресом.',
  },
  expired: {
    title: 'Ссылка больше не действует',
    text: 'Если адрес изменили не вы, напишите тем, кто ведёт стену.',
  },
  unknown: {
    title: 'Ссылка не подходит',
    text: 'Откройте её из письма целиком: возможно, часть потерялась.',
  },
};

export function EmailUndoPage({ outcome }: { outcome: UndoOutcome | null }) {
  return (
    <MailedLink
      outcome={outcome && undoOutcomes[outcome]}
      onward={<a href={addresses.feed.href()}>На стену</a>}
      question="Отменить смену адреса?"
      confirm="Отменить смену"
    >
      <p>Если адрес вашей учётной записи меняете не вы, отмените это:</p>
      <ul className={styles.consequences}>
        <li>Вернётся адрес, на который пришло письмо.</li>
        <li>Все сеансы завершатся.</li>
        <li>Трое суток адрес нельзя изменить.</li>
      </ul>
    </MailedLink>
  );
}

const unsubscribeOutcomes: Record<UnsubscribeOutcome, { title: string; text: string }> = {
  done: {
    title: 'Письма больше не придут',
    text: 'На стене ничего не изменилось. Снова получать такие письма можно в настройках.',
  },
  expired: {
    title: 'Ссылка больше не действует',
    text: 'Откройте её из последнего письма или выключите письма в настройках.',
  },
  unknown: {
    title: 'Ссылка не подходит',
    text: 'Откройте её из письма целиком: возможно, часть потерялась. Письма можно выключить и в настройках.',
  },
};

export function UnsubscribePage({ outcome }: { outcome: UnsubscribeOutcome | null }) {
  return (
    <MailedLink
      outcome={outcome && unsubscribeOutcomes[outcome]}
      onward={<a href={addresses.settingsNotifications.href()}>Настройки</a>}
      question="Больше не присылать писем?"
      confirm="Не присылать"
    >
      <p>Такие письма перестанут приходить. На стене ничего не изменится.</p>
    </MailedLink>
  );
}

interface MailedLinkProps {
  /** The outcome; null before the form was sent. */
  outcome: { title: string; text: string } | null;
  /** A link from the outcome to another page. */
  onward: ReactNode;
  question: string;
  confirm: string;
  /** An explanation of what confirming does. */
  children: ReactNode;
}

/** The page that a mailed link opens. The browser itself sends the form, with or without scripts, to the page's address. */
function MailedLink({ outcome, onward, question, confirm, children }: MailedLinkProps) {
  const titleId = useId();
  if (outcome !== null) {
    return (
      <MailedLinkPage title={outcome.title} titleId={titleId}>
        <p>{outcome.text}</p>
        <p>{onward}</p>
      </MailedLinkPage>
    );
  }
  return (
    <MailedLinkPage title={question} titleId={titleId}>
      {children}
      <form method="post" aria-labelledby={titleId}>
        <Button type="submit" variant="primary">
          {confirm}
        </Button>
      </form>
    </MailedLinkPage>
  );
}
