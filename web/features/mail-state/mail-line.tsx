import type { ReactNode } from 'react';
import type { Keep } from '#contract/wall-admin.ts';
import { LocalTime } from '../../ui/scripted.tsx';

interface MailWords {
  /** Letters leave, as far as is known. */
  isGood: boolean;
  title: string;
  /** What more is known, and what the owner does. */
  text: ReactNode;
  /** In a row with the word «Почта». */
  short: ReactNode;
}

/** What owners are told about the mail of their wall, in all places. */
export function mailWords({ state, at, reason }: Keep['mail']): MailWords {
  const time = at !== null && <LocalTime at={at} />;
  if (state === 'left')
    return {
      isGood: true,
      title: 'Письма уходят',
      text: <>Последнее ушло {time}.</>,
      short: <>последнее письмо ушло {time}</>,
    };
  if (state === 'untried')
    return {
      isGood: false,
      title: 'Почта подключена, но ещё не проверена',
      text: 'Отправьте себе письмо: так видно, доходят ли они.',
      short: 'ещё не проверена',
    };
  if (state === 'none')
    return {
      isGood: false,
      title: 'Почта ещё не подключена',
      text: 'Попросите об этом того, кто ставил стену. До тех пор войдёт лишь тот, кому он скажет код.',
      short: 'ещё не подключена',
    };
  return {
    isGood: false,
    title: 'Письма не уходят',
    text: (
      <>
        {reason} Последняя попытка: {time}.
      </>
    ),
    short: 'письма не уходят',
  };
}

/** The state of the mail in two sentences. */
export function MailLine({ mail }: Pick<Keep, 'mail'>) {
  const { title, text } = mailWords(mail);
  return (
    <p>
      <b>{title}.</b> {text}
    </p>
  );
}
