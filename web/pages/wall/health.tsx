import type { ReactNode } from 'react';
import type { WallAdmin } from '#contract/wall-admin.ts';
import { isDayFull, mailWords } from '../../features/mail-state/mail-line.tsx';
import { useNow } from '../../lib/clock.tsx';
import { plural, waitText } from '../../lib/counts.ts';
import { LocalTime } from '../../ui/local-time.tsx';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import { ForInstaller } from './for-installer.tsx';
import styles from './health.module.css';

/** The words for what does not work, by the name of the job. */
const jobNames: Readonly<Record<string, string>> = {
  'apply-email-changes': 'смена адресов почты',
  'clear-deleted': 'стирание удалённых учётных записей',
  'close-gaps': 'порядок в обсуждениях',
  'compare-names': 'сравнение похожих имён',
  'end-block': 'конец блокировок',
  'end-pin': 'снятие объявления',
  'forget-consents': 'стирание старых согласий',
  'forget-follows': 'стирание старых подписок на обсуждения',
  'forget-readings': 'стирание старых отметок о прочитанном',
  'index-posts': 'поиск по новым записям',
  'keep-best': 'список лучших записей',
  'make-carry': 'файлы, которые уносят',
  'publish-pending': 'показ записей, которые ждали проверки',
  'purge-deleted-posts': 'стирание удалённых записей',
  'remove-expired': 'стирание устаревшего',
  'send-digests': 'письма о новом',
  'tell-followers': 'уведомления о новых ответах',
  'tell-of-reports': 'письма о жалобах',
};

const gigabytes = (bytes: number): string =>
  (bytes / 1e9).toLocaleString('ru', { maximumFractionDigits: 1, useGrouping: false });

const remarkForms = ['замечание', 'замечания', 'замечаний'] as const;
const letterForms = ['письмо', 'письма', 'писем'] as const;

/** Letters that wait longer than this mean a fault. The alert of the metrics has the same limit. */
const patienceSeconds = 300;
const staleSeconds = 2 * 24 * 3_600;
/** Percent of the disk. */
const fullPercent = 85;

/** `text` says the state and, unless it is good, what the owner does. */
type Fact = { name: string; isGood: boolean; text: ReactNode };

/** The words for owners about each part of their wall. */
function factsOf({ health, mail }: Pick<WallAdmin, 'health' | 'mail'>, now: number): Fact[] {
  const { mails_waiting: waiting, jobs_failing: jobs, writes, disk, last_backup: backup, copy_check: check } = health;
  const { isGood, title, text } = mailWords(mail, now);
  const isQuick = waiting.oldest_seconds < patienceSeconds;
  const used = disk ? Math.floor(100 * (1 - disk.free / disk.size)) : 0;
  const outAt = health.out_of_files_at;
  const isOutOfFiles = outAt !== null && now - outAt <= staleSeconds;
  const isFresh = backup !== null && now - backup <= staleSeconds;
  return [
    {
      name: 'Почта',
      isGood,
      text: (
        <>
          {title}. {text}
        </>
      ),
    },
    {
      name: 'Письма в очереди',
      isGood: isQuick,
      text:
        waiting.count === 0
          ? 'Ни одно не ждёт.'
          : isQuick && isDayFull(mail)
            ? `${plural(waiting.count, letterForms)}: уйдут, когда освободится место.`
            : `${plural(waiting.count, letterForms)}, старшее ждёт ${waitText(waiting.oldest_seconds)}${isQuick ? '' : ' Стена отправит их, как только сможет. Почему они ждут, сказано строкой выше.'}`,
    },
    {
      name: 'Сохранение',
      isGood: !writes.are_failing,
      text: writes.are_failing
        ? 'Сейчас ничего не сохраняется: читать можно, писать нельзя. Скорее попросите того, кто ставил стену, посмотреть, что с диском и базой: причина названа ниже, в словах для него.'
        : `Всё, что пишут, сохраняется.${writes.failed > 0 ? ` Не вышло раз с последнего запуска: ${writes.failed}.` : ''}`,
    },
    {
      name: 'Соединения',
      isGood: !isOutOfFiles,
      text: isOutOfFiles ? (
        <>
          Их не хватало: <LocalTime at={outAt} />. Кто приходил тогда, мог не открыть стену. Попросите того, кто ставил
          стену, разрешить ей больше.
        </>
      ) : (
        'Хватает всем.'
      ),
    },
    {
      name: 'Дела по расписанию',
      isGood: jobs.length === 0,
      text:
        jobs.length === 0
          ? 'Делаются вовремя.'
          : writes.are_failing
            ? 'Ждут, пока ничего не сохраняется.'
            : `Не выходит: ${jobs.map(({ name }) => jobNames[name] ?? 'другое').join(', ')}. Стена пробует снова сама. Если через час будет то же, попросите того, кто ставил стену, посмотреть почему.`,
    },
    {
      name: 'Место на диске',
      isGood: used < fullPercent,
      text: disk
        ? `Свободно ${gigabytes(disk.free)} из ${gigabytes(disk.size)} ГБ.${used < fullPercent ? '' : ` Занято ${used} %. Попросите того, кто ставил стену, добавить места: без него писать станет нельзя.`}`
        : 'Неизвестно.',
    },
    {
      name: 'Последняя копия',
      isGood: isFresh,
      text: (
        <>
          {backup === null ? 'Ни одной. ' : <LocalTime at={backup} />}
          {!isFresh &&
            `${backup === null ? '' : '. Это было больше двух дней назад. '}Попросите того, кто ставил стену, настроить копии: без них стена пропадёт вместе с диском.`}
        </>
      ),
    },
    copyCheck(check, now),
  ];
}

function copyCheck(check: WallAdmin['health']['copy_check'], now: number): Fact {
  const name = 'Проверка копии';
  if (check === null)
    return { name, isGood: false, text: 'Не было. Попросите того, кто ставил стену, включить её вместе с копиями.' };
  const { at, posts, differences, failure, shrunk } = check;
  const isStale = now - at > staleSeconds;
  const found =
    failure === null
      ? `${plural(posts, ['запись', 'записи', 'записей'])}, ${plural(differences, ['расхождение', 'расхождения', 'расхождений'])}`
      : `стена не восстановилась: ${failure}`;
  const isGood = failure === null && differences === 0 && !shrunk && !isStale;
  return {
    name,
    isGood,
    text: (
      <>
        <LocalTime at={at} />, {found}
        {shrunk && `. Стена стала меньше вдвое: ${shrunk}`}
        {isStale && '. Это было больше двух дней назад'}
        {!isGood && '. Попросите того, кто ставил стену, посмотреть, что с копией'}
      </>
    ),
  };
}

/** How many parts of the wall need attention. The mail has a row of its own. */
export function healthWords({ health, mail }: Pick<WallAdmin, 'health' | 'mail'>, now: number) {
  const wanting = factsOf({ health, mail }, now).filter(({ isGood, name }) => !isGood && name !== 'Почта');
  const isGood = wanting.length === 0;
  return { isGood, short: isGood ? 'Всё в порядке' : plural(wanting.length, remarkForms) };
}

/** The state of each part of the wall, with advice where something needs attention. */
export function Health({ health, mail }: Pick<WallAdmin, 'health' | 'mail'>) {
  return (
    <>
      <ul className={styles.facts}>
        {factsOf({ health, mail }, useNow()).map(({ name, isGood, text }) => (
          <li key={name} className={isGood ? undefined : styles.wanting}>
            <span aria-hidden="true">{isGood ? '✓' : '!'}</span>
            <div>
              <b>{name}</b>
              <span className={visuallyHidden.always}>: {isGood ? 'в порядке' : 'обратите внимание'}</span>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
      <p>Версия программы: {health.version}</p>
      <ForInstaller>
        <li>
          Те же числа отдаёт METRICS, что делать с каждым: docs/guide/monitoring.md. Отказы записаны в журнале службы.
        </li>
        <li>Копии делает и проверяет служба stena-backup: docs/guide/backup.md</li>
        {health.writes.reason !== null && (
          <li>
            Почему ничего не сохраняется: <code>{health.writes.reason}</code>
          </li>
        )}
        {mail.said !== null && (
          <li>
            Ответ почтового сервера: <code>{mail.said}</code>
          </li>
        )}
        {health.out_of_files_at !== null && (
          <li>Сколько соединений и файлов можно открыть, говорит LimitNOFILE в службе: docs/guide/monitoring.md</li>
        )}
        {health.jobs_failing.map(({ name, count }) => (
          <li key={name}>
            <code>{name}</code>: {count}
          </li>
        ))}
      </ForInstaller>
    </>
  );
}
