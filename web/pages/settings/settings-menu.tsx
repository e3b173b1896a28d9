import { use } from 'react';
import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { usePostStore } from '../../features/posts/store/use-posts.ts';
import { pressShortcut } from '../../features/shortcuts/press-shortcut.ts';
import { WallTextLinks } from '../../features/wall-texts/wall-text-links.tsx';
import { FormStateContext } from '../../forms/form-host.ts';
import { Form } from '../../forms/form.tsx';
import { page } from '../../forms/page-module.ts';
import type { Page } from '../../router/page.ts';
import { ThemeToggle } from '../../theme/theme-toggle.tsx';
import { Scripted } from '../../ui/scripted.tsx';
import styles from './menu.module.css';
import row from '../../ui/link-row.module.css';
import { LinkRow } from '../../ui/link-row.tsx';

/** The second lines of rows: the current value of the setting, or what the page contains. */
const values: Readonly<Record<string, (user: CurrentUser) => string>> = {
  [addresses.settingsEmail.path]: (user) => user.email,
  [addresses.settingsUsername.path]: (user) => user.username,
  [addresses.settingsProfile.path]: (user) => user.display_name ?? '',
  [addresses.settingsData.path]: () => 'Что и как долго хранит стена',
  [addresses.settingsApiTokens.path]: () => 'Чтобы программа читала и писала за вас',
  [addresses.settingsDeletion.path]: () => 'Вместе с записями и ответами',
};

/** The names of rows that are not the titles of their pages. */
const names: Readonly<Record<string, string>> = {
  [addresses.settingsDeletion.path]: 'Удалить учётную запись',
};

function Rows({ pages, user }: { pages: readonly Page[]; user: CurrentUser }) {
  const store = usePostStore();
  return pages.map(({ address: { path }, describe }) => {
    const { heading, title = heading } = describe({}, null, store);
    return <LinkRow key={path} href={path} name={names[path] ?? title} value={values[path]?.(user)} />;
  });
}

interface MenuData {
  /** The numbers of posts that wait for a moderator; only for moderators and owners. */
  waits?: { open: number; pending: number };
}

export const menuOf = (account: readonly Page[], others: readonly Page[]) =>
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
          <Rows pages={account} user={user} />
          <div className={styles.leaving}>
            <Form act="signOut" submit={undefined} isInline>
              <SignOutRow />
            </Form>
          </div>
        </section>
        <div className={styles.more}>
          {user.role !== undefined && (
            <LinkRow href={addresses.moderation.href()} name="Модерация" value={waitingWords(waits)} />
          )}
          {user.role === 'owner' && <LinkRow href={addresses.keep.href()} name="Хозяйство" />}
          <LinkRow href={addresses.user.href(user)} name="Моя страница" value="Записи, понравившиеся, сохранённое" />
          <LinkRow href={addresses.people.href()} name="Люди" value="Кто пишет на этой стене" />
          <Rows pages={others} user={user} />
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

/** Rows that need scripts. Their height is reserved from the start. */
const WithScripts = () => (
  <div className={styles.scripted}>
    <Scripted>
      <div className={styles.theme}>
        <ThemeToggle shownIn="settings" />
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

/** The page «Данные и программы», with rows that are rarely needed. */
export const dataAndProgramsOf = (pages: readonly Page[]) =>
  page({
    View: ({ user }) => (
      <>
        <LinkRow
          href={addresses.settingsExport.href()}
          name="Скачать мои данные"
          value="Один файл со всем, что стена хранит о вас"
          isFile
        />
        <Rows pages={pages} user={user} />
      </>
    ),
  });
