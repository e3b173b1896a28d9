import type { CurrentUser } from '#contract/account.ts';
import { type Address, addresses } from '#contract/addresses.ts';
import { pressShortcut } from '../../features/shortcuts/press-shortcut.ts';
import { WallTextLinks } from '../../features/wall-texts/wall-text-links.tsx';
import { Form } from '../../forms/form.tsx';
import { page } from '../../forms/page-module.ts';
import { ThemeToggle } from '../../theme/theme-toggle.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Scripted } from '../../ui/scripted.tsx';
import styles from './menu.module.css';

/** A page's link in the menu. */
export interface MenuLink {
  /** Under the heading about the account, in the list below it, or at the end among what is rarely needed. */
  place: 'account' | 'list' | 'end';
  name: string;
  /** The current value of the setting. */
  value?(user: CurrentUser): string;
}

interface LinkedPage {
  address: Address;
  link: MenuLink;
}

export const menuOf = (pages: readonly LinkedPage[]) => {
  const linksAt = (place: MenuLink['place']) => pages.filter(({ link }) => link.place === place);
  return page({
    View({ user }) {
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
          <WithScripts />
          <div className={styles.leaving}>
            <Form act="signOut" submit="Выйти" variant="quiet" />
          </div>
          <div className={styles.rare}>
            <a href={addresses.settingsExport.href()} download className={styles.link}>
              Скачать мои данные
            </a>
            {linksAt('end').map(({ address, link }) => (
              <a key={address.path} href={address.href()} className={styles.link}>
                {link.name}
              </a>
            ))}
            <WallTextLinks />
          </div>
        </>
      );
    },
    acts: {
      async signOut({ call }) {
        await call('DELETE /sessions/current', {});
        return { to: addresses.feed.href(), isSignedOut: true };
      },
    },
  });
};

/** What only scripts can do. It has its place from the start. */
const WithScripts = () => (
  <div className={styles.scripted}>
    <Scripted>
      <div className={styles.theme}>
        <ThemeToggle place="settings" />
      </div>
      <button type="button" className={styles.row} data-for="keyboard" onClick={() => pressShortcut('?')}>
        <span className={styles.name}>Клавиши</span>
        <span className={styles.value}>Что можно делать без мыши</span>
      </button>
    </Scripted>
  </div>
);

interface RowProps {
  href: string;
  name: string;
  /** The current value of the setting. */
  value?: string | undefined;
}

function Row({ href, name, value }: RowProps) {
  return (
    <a href={href} className={styles.row} data-valued={Boolean(value)}>
      <span className={styles.name}>{name}</span>
      {value && <bdi className={styles.value}>{value}</bdi>}
      <span className={styles.onward}>
        <Icon name="chevron" />
      </span>
    </a>
  );
}
