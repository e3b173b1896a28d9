import type { CurrentUser } from '#contract/account.ts';
import { DownloadButton } from '../account/download-button.tsx';
import { SignOutButton } from '../account/sign-out-button.tsx';
import { KeysRow } from './keys-row.tsx';
import styles from './settings-page.module.css';
import { SettingsRow } from './settings-row.tsx';

export function SettingsPage({ user }: { user: CurrentUser }) {
  return (
    <>
      <section aria-labelledby="account">
        <h2 id="account" className={styles.heading}>
          Учётная запись
        </h2>
        <SettingsRow href="/settings/account/email" name="Электронная почта" value={user.email} />
        <SettingsRow href="/settings/account/username" name="Имя пользователя" value={user.username} />
      </section>
      <SettingsRow href="/settings/devices" name="Устройства" />
      <SettingsRow href="/settings/muted" name="Скрытые авторы" />
      <KeysRow />
      <div className={styles.leaving}>
        <SignOutButton />
      </div>
      <div className={styles.rare}>
        <DownloadButton username={user.username} variant="plain" />
        <a href="/settings/account/deletion" className={styles.link}>
          Удалить учётную запись
        </a>
      </div>
    </>
  );
}
