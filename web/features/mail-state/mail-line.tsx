import type { ReactNode } from 'react';
import type { WallAdmin } from '#contract/wall-admin.ts';
import { LocalTime } from '../../ui/local-time.tsx';

/** Words for owners about the mail of their wall. `text` says what to do or what happened last; `short` stands in a row below the word «Почта». */
export function mailWords({ state, at, reason }: WallAdmin['mail']) {
  const time = at !== null && <LocalTime at={at} />;
  const words: Record<typeof state, { title: string; text: ReactNode; short: ReactNode }> = {
    none: {
      title: 'Почта ещё не подключена',
      text: 'Попросите об этом того, кто ставил стену. До тех пор войдёт лишь тот, кому он скажет код.',
      short: 'Ещё не подключена',
    },
    untried: {
      title: 'Почта подключена, но ещё не проверена',
      text: 'Отправьте себе письмо: так видно, доходят ли они.',
      short: 'Ещё не проверена',
    },
    left: { title: 'Письма уходят', text: <>Последнее ушло {time}.</>, short: <>Последнее письмо ушло {time}</> },
    refused: {
      title: 'Письма не уходят',
      text: (
        <>
          {reason} Последняя попытка: {time}.
        </>
      ),
      short: 'Письма не уходят',
    },
  };
  return { ...words[state], isGood: state === 'left' };
}

/** The title and the text of the state of the mail. */
export function MailLine({ mail }: Pick<WallAdmin, 'mail'>) {
  const { title, text } = mailWords(mail);
  return (
    <p>
      <b>{title}.</b> {text}
    </p>
  );
}
