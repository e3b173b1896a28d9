import type { MailState } from '#contract/auth.ts';
import styles from './mail-line.module.css';

const texts: Record<MailState, string> = {
  sending: 'Отправляем письмо…',
  accepted: 'Письмо принято почтовым сервером. Не видите его? Загляните в «Спам».',
  delayed: 'Почтовый сервер пока не принял письмо. Пробуем ещё, код придёт чуть позже.',
  refused: 'Этот адрес не принимает почту. Проверьте его.',
};

/** What became of the mail with the code. */
export function MailLine({ state }: { state: MailState }) {
  return (
    <p role="status" className={styles.line} data-state={state}>
      {texts[state]}
    </p>
  );
}
