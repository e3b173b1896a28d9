import type { ReactNode } from 'react';
import type { WallAdmin } from '#contract/wall-admin.ts';
import { useNow } from '../../lib/clock.tsx';
import { waitText } from '../../lib/counts.ts';
import { LocalTime } from '../../ui/local-time.tsx';

type Mail = WallAdmin['mail'];

/** Whether only codes may still leave today. */
export const isDayFull = ({ today }: Pick<Mail, 'today'>): boolean =>
  today !== null && today.letters >= today.limit - today.for_codes;

function dayText({ today }: Pick<Mail, 'today'>): string {
  if (today === null) return '';
  const { letters, limit } = today;
  const rest =
    letters >= limit
      ? ' Больше писем почта не берёт: коды уйдут, когда освободится место.'
      : isDayFull({ today })
        ? ' Остальные места — для кодов, другие письма ждут.'
        : '';
  return ` Сегодня ${letters} из ${limit}.${rest}`;
}

/** Words for owners about the mail of their wall. `text` says what to do or what happened last; `short` stands in a row below the word «Почта». */
export function mailWords({ state, at, reason, held_until: heldUntil, today }: Mail, now: number) {
  const time = at !== null && <LocalTime at={at} />;
  const isHeld = heldUntil !== null;
  const isWaiting = isHeld && heldUntil > now;
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
      title: isHeld ? 'Письма придержаны' : 'Письма не уходят',
      text: (
        <>
          {reason}
          {isWaiting &&
            ` Новые попытки продлевают запрет, поэтому ещё ${waitText(heldUntil - now)} уходит только один код в десять минут.`}
          {isHeld && !isWaiting && ' Следующее письмо покажет, снят ли запрет.'} Последняя попытка: {time}.
        </>
      ),
      short: isWaiting ? `Письма придержаны, ещё ${waitText(heldUntil - now)}` : 'Письма не уходят',
    },
  };
  const { title, text, short } = words[state];
  const isOut = today !== null && today.letters >= today.limit;
  return {
    title,
    text: (
      <>
        {text}
        {dayText({ today })}
      </>
    ),
    short: isOut && state === 'left' ? 'На сегодня писем больше нет' : short,
    isGood: state === 'left' && !isOut,
  };
}

/** The title and the text of the state of the mail. */
export function MailLine({ mail }: Pick<WallAdmin, 'mail'>) {
  const { title, text } = mailWords(mail, useNow());
  return (
    <p>
      <b>{title}.</b> {text}
    </p>
  );
}
