import { useId } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Switch } from '../../ui/switch.tsx';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import { letters } from './letters.ts';
import styles from './notification-settings-page.module.css';
import { type Saving, useNotificationSettings } from './use-notification-settings.ts';

/** The settings for discussions to follow and for the letter about unread notifications. */
export function NotificationSettingsPage({ user }: { user: CurrentUser }) {
  const { loaded, retry, saving, save, change } = useNotificationSettings();
  const [followTip, letterTip] = [useId(), useId()];

  if (loaded.is === 'loading') return <Skeleton />;
  if (loaded.is === 'failed') {
    return (
      <Notice title="Не удалось загрузить" text={loaded.message} action={<Button onClick={retry}>Повторить</Button>} />
    );
  }
  const { follow_replied: follows, digest } = loaded.value;
  return (
    <div className={styles.page}>
      <div>
        <Switch
          label="Следить за обсуждениями, в которых я отвечаю"
          checked={follows}
          describedBy={followTip}
          onChange={(follow_replied) => change({ follow_replied })}
        />
        <p id={followTip} className={styles.tip}>
          О новом в обсуждениях ваших записей вы узнаёте и без этого.
        </p>
      </div>
      <div>
        <RadioGroup
          legend="Письмо о непрочитанном"
          choices={letters}
          chosen={digest}
          describedBy={letterTip}
          disabled={false}
          onChoose={(id) => change({ digest: letters.find((letter) => letter.id === id)!.id })}
        />
        <p id={letterTip} className={styles.tip}>
          Приходит на <bdi>{user.email}</bdi>, если есть непрочитанное и вы не заходили больше суток.
        </p>
      </div>
      <SavingLine saving={saving} onRepeat={save} />
    </div>
  );
}

/** It has its place from the start, so nothing moves. */
function SavingLine({ saving, onRepeat }: { saving: Saving; onRepeat: () => void }) {
  return (
    <div className={styles.saving}>
      <p role="status">
        {saving.is === 'saving' && 'Сохраняем…'}
        {saving.is === 'saved' && 'Сохранено'}
      </p>
      <p role="alert" className={styles.failure}>
        {saving.is === 'failed' && `Не сохранено. ${saving.message}`}
      </p>
      {saving.is === 'failed' && <Button onClick={onRepeat}>Повторить</Button>}
    </div>
  );
}

function Skeleton() {
  return (
    <div className={styles.page} aria-busy="true">
      <span className={visuallyHidden.always}>Загрузка</span>
      <span className={styles.words} />
      {letters.map(({ id }) => (
        <span key={id} className={styles.words} data-short />
      ))}
    </div>
  );
}
