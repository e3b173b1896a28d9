import { use } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { type Address, addresses } from '#contract/addresses.ts';
import { pressShortcut } from '../../features/shortcuts/press-shortcut.ts';
import { WallTextLinks } from '../../features/wall-texts/wall-text-links.tsx';
import { FormStateContext } from '../../forms/form-host.ts';
import { Form } from '../../forms/form.tsx';
import { page } from '../../forms/page-module.ts';
import { ThemeToggle } from '../../theme/theme-toggle.tsx';
import { Scripted } from '../../ui/scripted.tsx';
import styles from './menu.module.css';
import row from './settings-row.module.css';
import { Row } from './settings-row.tsx';

/** A page's link in the menu. */
export interface MenuLink {
  name: string;
  /** The second line. */
  value?(user: CurrentUser): string;
}

interface LinkedPage {
  address: Address;
  link: MenuLink;
}

const rowsOf = (pages: readonly LinkedPage[], user: CurrentUser) =>
  pages.map(({ address, link: { name, value } }) => (
    <Row key={address.path} href={address.href()} name={name} value={value?.(user)} />
  ));

interface MenuData {
  /** For keepers. */
  waits?: { open: number; pending: number };
}

export const menuOf = (account: readonly LinkedPage[], others: readonly LinkedPage[]) =>
  page({
    load: async ({ call, user }): Promise<MenuData> =>
      user.role === undefined ? {} : { waits: await call('GET /moderation/reports/count', {}) },
    showsPerson: true,
    View: ({ user, waits }) => (
      <>
        <section aria-labelledby="account">
          <h2 id="account" className={styles.heading}>
            Учётная запись
          </h2>
          {rowsOf(account, user)}
          <div className={styles.leaving}>
            <Form act="signOut" submit={undefined} isInline>
              <SignOutRow />
            </Form>
          </div>
        </section>
        <div className={styles.more}>
          {user.role !== undefined && (
            <Row href={addresses.moderation.href()} name="Модерация" value={waitingWords(waits)} />
          )}
          {user.role === 'owner' && <Row href={addresses.keep.href()} name="Хозяйство" />}
          <Row href={addresses.user.href(user)} name="Моя страница" value="Записи, понравившиеся, сохранённое" />
          {rowsOf(others, user)}
          <WithScripts />
          <div className={styles.texts}>
            <WallTextLinks />
          </div>
        </div>
      </>
    ),
    acts: {
      async signOut({ call }) {
        await call('DELETE /sessions/current', {});
        return { to: addresses.feed.href(), isSignedOut: true };
      },
    },
  });

const waitingWords = ({ open, pending }: MenuData['waits'] = { open: 0, pending: 0 }): string =>
  [open > 0 && `Записей с жалобами: ${open}`, pending > 0 && `Ждут проверки: ${pending}`].filter(Boolean).join(' · ') ||
  'Ничего не ждёт';

function SignOutRow() {
  const { isBusy } = use(FormStateContext);
  return (
    <button type="submit" className={row.row} aria-busy={isBusy} aria-disabled={isBusy || undefined}>
      <span className={row.name}>Выйти</span>
    </button>
  );
}

/** What only scripts can do. It has its place from the start. */
const WithScripts = () => (
  <div className={styles.scripted}>
    <Scripted>
      <div className={styles.theme}>
        <ThemeToggle place="settings" />
      </div>
      <div className={styles.keys}>
        <button type="button" className={row.row} onClick={() => pressShortcut('?')}>
          <span className={row.name}>Клавиши</span>
          <span className={row.value}>Что можно делать без мыши</span>
        </button>
      </div>
    </Scripted>
  </div>
);

const dataWords: Readonly<Record<string, string>> = {
  [addresses.settingsData.path]: 'Что и как долго хранит стена',
  [addresses.settingsApiTokens.path]: 'Чтобы программа читала и писала за вас',
  [addresses.settingsDeletion.path]: 'Вместе с записями и ответами',
};

/** «Данные и программы»: what is rarely needed. */
export const dataAndProgramsOf = (pages: readonly LinkedPage[]) =>
  page({
    View: () => (
      <>
        <Row
          href={addresses.settingsExport.href()}
          name="Скачать мои данные"
          value="Один файл со всем, что стена хранит о вас"
          isFile
        />
        {pages.map(({ address: { path }, link: { name } }) => (
          <Row key={path} href={path} name={name} value={dataWords[path]} />
        ))}
      </>
    ),
  });
