import { useId } from 'react';
import type { UndoOutcome } from '#contract/page.ts';
import { Button } from '../ui/button.tsx';
import styles from './deletion-step.module.css';
import { FormPage } from './form-page.tsx';

const outcomes: Record<UndoOutcome, { title: string; text: string }> = {
  done: {
    title: 'Смена адреса отменена',
    text: 'Прежний адрес снова ваш, все сеансы завершены. Войдите: код придёт на прежний адрес. Трое суток адрес нельзя будет изменить.',
  },
  used: {
    title: 'Смена уже отменена',
    text: 'По этой или другой ссылке адрес уже вернули. Войдите: код придёт на прежний адрес.',
  },
  expired: {
    title: 'Ссылка больше не действует',
    text: 'Время, когда смену можно было отменить, прошло. Если адрес изменили не вы, напишите тем, кто ведёт стену.',
  },
  unknown: {
    title: 'Ссылка не подходит',
    text: 'Откройте её из письма целиком или скопируйте без изменений: возможно, часть адреса потерялась.',
  },
};

/** Its form is sent by the browser itself, with a script or without, to the address that the link has opened. */
export function EmailUndoPage({ outcome }: { outcome: UndoOutcome | null }) {
  const titleId = useId();
  if (outcome !== null) {
    const { title, text } = outcomes[outcome];
    return (
      <FormPage title={title} titleId={titleId}>
        <p>{text}</p>
        <p>
          <a href="/">На стену</a>
        </p>
      </FormPage>
    );
  }
  return (
    <FormPage title="Отменить смену адреса?" titleId={titleId}>
      <p>Если адрес вашей учётной записи изменили или хотят изменить не вы, отмените это:</p>
      <ul className={styles.consequences}>
        <li>Адрес, на который пришло первое письмо о смене, вернётся или останется.</li>
        <li>Все сеансы завершатся сразу, на всех устройствах.</li>
        <li>Трое суток адрес нельзя будет изменить.</li>
      </ul>
      <form method="post" aria-labelledby={titleId}>
        <Button type="submit" variant="primary">
          Отменить смену
        </Button>
      </form>
    </FormPage>
  );
}
