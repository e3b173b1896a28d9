import { useId } from 'react';
import { addresses, type UndoOutcome } from '#contract/addresses.ts';
import { Button } from '../../ui/button.tsx';
import styles from './form-page.module.css';
import { FormPage } from './form-page.tsx';

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

/** The browser itself sends the form, with or without scripts, to the address of the page. */
export function EmailUndoPage({ outcome }: { outcome: UndoOutcome | null }) {
  const titleId = useId();
  if (outcome !== null) {
    const { title, text } = outcomes[outcome];
    return (
      <FormPage title={title} titleId={titleId}>
        <p>{text}</p>
        <p>
          <a href={addresses.feed.href()}>На стену</a>
        </p>
      </FormPage>
    );
  }
  return (
    <FormPage title="Отменить смену адреса?" titleId={titleId}>
      <p>Если адрес вашей учётной записи меняете не вы, отмените это:</p>
      <ul className={styles.consequences}>
        <li>Вернётся адрес, на который пришло письмо.</li>
        <li>Все сеансы завершатся.</li>
        <li>Трое суток адрес нельзя изменить.</li>
      </ul>
      <form method="post" aria-labelledby={titleId}>
        <Button type="submit" variant="primary">
          Отменить смену
        </Button>
      </form>
    </FormPage>
  );
}
