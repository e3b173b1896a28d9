import type { NotificationSettings } from '#contract/notifications.ts';
import { Choices, Switch } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import formStyles from '../../forms/form.module.css';
import { act, page } from '../../forms/page-module.ts';
import { namedOnDemand, useOnDemand } from '../../lib/on-demand.ts';
import styles from './notifications.module.css';

const letters: ReadonlyArray<{ id: NotificationSettings['digest']; name: string }> = [
  { id: 'off', name: 'Не присылать' },
  { id: 'daily', name: 'Раз в день' },
  { id: 'weekly', name: 'Раз в неделю' },
];

const pushSettings = namedOnDemand(() => import('../../features/push/push-settings.tsx'), 'PushSettings');

/**
 * The settings for messages to this device, or a note that they need scripts. Only the server renders the note, because React never
 * renders the content of <noscript> in the browser.
 */
function DevicePush() {
  const { thing: PushSettings } = useOnDemand(pushSettings, true);
  return (
    <>
      <noscript>
        {import.meta.env.SSR && (
          <p className={formStyles.note}>Чтобы уведомления приходили на это устройство, нужны скрипты: включите их.</p>
        )}
      </noscript>
      {PushSettings && <PushSettings />}
    </>
  );
}

/** The settings for discussions to follow, for letters and for messages to this device. */
export const notificationSettings = page({
  load: ({ call }) => call('GET /users/current/notification-settings', {}),
  View: ({
    follow_replied: follows,
    digest,
    best_weekly: best,
    replies_at_once: atOnce,
    wall_daily: wall,
    file_monthly: file,
    user,
  }) => (
    <div className={styles.page}>
      <Form act="save" submit="Сохранить" autosave>
        <Switch
          name="follow_replied"
          label="Следить за обсуждениями, в которых я отвечаю"
          isOn={follows}
          note="О новом в обсуждениях ваших записей вы узнаёте и без этого."
        />
        <Choices
          name="digest"
          legend="Письмо о непрочитанном"
          choices={letters}
          chosen={digest}
          note={
            <>
              Приходит на <bdi>{user.email}</bdi>, если вы не заходили больше суток и есть непрочитанное.
            </>
          }
        />
        <Switch
          name="replies_at_once"
          label="Письмо об ответах сразу"
          isOn={atOnce}
          note="Через минуту-две, одно на обсуждение. Не больше 30 в сутки, остальное — одним письмом раз в день."
        />
        <Switch
          name="wall_daily"
          label="Вся стена раз в день"
          isOn={wall}
          note="Утром, одним письмом: новые записи с ответами."
        />
        <Switch
          name="best_weekly"
          label="Присылать лучшее за неделю"
          isOn={best}
          note="Одно письмо, по понедельникам."
        />
        {file !== undefined && (
          <Switch
            name="file_monthly"
            label="Вся стена файлом раз в месяц"
            isOn={file}
            note="Файл открывается в браузере без сети. Большой приходит ссылкой."
          />
        )}
      </Form>
      <DevicePush />
    </div>
  ),
  acts: {
    save: act('Сохранено', ({ call }, fields) => {
      const digest = letters.find(({ id }) => id === fields['digest'])?.id ?? 'off';
      return call('PUT /users/current/notification-settings', {
        body: {
          follow_replied: 'follow_replied' in fields,
          digest,
          best_weekly: 'best_weekly' in fields,
          replies_at_once: 'replies_at_once' in fields,
          wall_daily: 'wall_daily' in fields,
          file_monthly: 'file_monthly' in fields,
        },
      });
    }),
  },
});
