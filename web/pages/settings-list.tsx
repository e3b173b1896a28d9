import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { DownloadButton } from '../features/account/download-button.tsx';
import { SignOutButton } from '../features/account/sign-out-button.tsx';
import { WallTextLinks } from '../features/wall-texts/wall-text-links.tsx';
import { pressShortcut } from '../features/shortcuts/press-shortcut.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './settings-list.module.css';

export function SettingsList({ user }: { user: CurrentUser }) {
  return (
    <>
      <section aria-labelledby="account">
        <h2 id="account" className={styles.heading}>
          Учётная запись
        </h2>
        <Row href={addresses.settingsEmail.href()} name="Электронная почта" value={user.email} />
        <Row href={addresses.settingsUsername.href()} name="Имя пользователя" value={user.username} />
      </section>
      <Row href={addresses.settingsDevices.href()} name="Устройства" />
      <Row href={addresses.settingsNotifications.href()} name="Уведомления" />
      <Row href={addresses.settingsMuted.href()} name="Скрытые авторы" />
      <Row href={addresses.settingsApiTokens.href()} name="Токены для программ" />
      {user.role === 'moderator' && <Row href={addresses.moderation.href()} name="Модерация" />}
      <div className={styles.theme}>
        <ThemeToggle place="settings" />
      </div>
      <button type="button" className={styles.row} data-for="keyboard" onClick={() => pressShortcut('?')}>
        <span className={styles.name}>Клавиши</span>
        <span className={styles.value}>Что можно делать без мыши</span>
      </button>
      <div className={styles.leaving}>
        <SignOutButton />
      </div>
      <div className={styles.rare}>
        <DownloadButton username={user.username} variant="plain" />
        <a href={addresses.settingsDeletion.href()} className={styles.link}>
          Удалить учётную запись
        </a>
        <WallTextLinks />
      </div>
    </>
  );
}

interface RowProps {
  href: string;
  name: string;
  /** The current value of the setting. */
  value?: string;
}

function Row({ href, name, value }: RowProps) {
  return (
    <a href={href} className={styles.row}>
      <span className={styles.name}>{name}</span>
      {value !== undefined && <bdi className={styles.value}>{value}</bdi>}
      <span className={styles.onward}>
        <Icon name="chevron" />
      </span>
    </a>
  );
}
