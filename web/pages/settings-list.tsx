import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { DownloadButton } from '../features/account/download-button.tsx';
import { SignOutButton } from '../features/account/sign-out-button.tsx';
import { WallTextLinks } from '../features/wall-texts/wall-text-links.tsx';
import { pressShortcut } from '../features/shortcuts/press-shortcut.ts';
import { Icon } from '../ui/icon.tsx';
import type { MenuLink } from './settings-page.tsx';
import { settingsPages } from './settings-pages.tsx';
import styles from './settings-list.module.css';

const linksAt = (place: MenuLink['place']) => settingsPages.filter(({ link }) => link.place === place);

export function SettingsList({ user }: { user: CurrentUser }) {
  const rows = (place: MenuLink['place']) =>
    linksAt(place).map(({ address, link: { name, value } }) => (
      <Row key={address.path} href={address.href()} name={name} value={value?.(user)} />
    ));
  return (
    <>
      <section aria-labelledby="account">
        <h2 id="account" className={styles.heading}>
          Учётная запись
        </h2>
        <Row href={addresses.user.href(user)} name="Моя страница" />
        {rows('account')}
      </section>
      <Row href={addresses.saved.href()} name="Сохранённое" />
      {rows('list')}
      {user.role !== undefined && <Row href={addresses.moderation.href()} name="Модерация" />}
      {user.role === 'owner' && <Row href={addresses.keep.href()} name="Хозяйство" />}
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
        {linksAt('end').map(({ address, link }) => (
          <a key={address.path} href={address.href()} className={styles.link}>
            {link.name}
          </a>
        ))}
        <WallTextLinks />
      </div>
    </>
  );
}

interface RowProps {
  href: string;
  name: string;
  /** The current value of the setting. */
  value?: string | undefined;
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
