import { addresses, type UndoOutcome } from '#contract/addresses.ts';
import styles from './form-page.module.css';
import { MailedLink } from './mailed-link.tsx';

const outcomes: Record<UndoOutcome, { title: string; text: string }> = {
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
      outcome={outcome && outcomes[outcome]}
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
