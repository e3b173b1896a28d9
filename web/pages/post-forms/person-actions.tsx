import { addresses } from '#contract/addresses.ts';
import { setAuthorFollowed, setMuted } from '../../features/session/own-calls.ts';
import { Form } from '../../forms/form.tsx';
import { act, page, type PageContext } from '../../forms/page-module.ts';
import { PersonNames } from '../../ui/person-names.tsx';
import styles from './actions.module.css';

type Context = PageContext<{ username: string }>;

const setting = (
  message: string,
  set: (call: Context['call'], id: string, isWanted: boolean) => Promise<unknown>,
  isWanted: boolean,
) =>
  act(message, async ({ call, params }: Context) =>
    set(call, (await call('GET /users/{username}', { params })).id, isWanted),
  );

/** The acts on an author: the button and the menu of the author's page as a page of its own. */
export const personActions = page({
  async load({ call, params }: Context) {
    const [author, { users }] = await Promise.all([
      call('GET /users/{username}', { params }),
      call('GET /users/current/mutes', {}),
    ]);
    return { author, isMuted: users.some(({ id }) => id === author.id) };
  },
  View: ({ user, author, isMuted }) => (
    <div className={styles.page}>
      <article className={styles.post}>
        <a href={addresses.user.href(author)}>
          <PersonNames {...author} />
        </a>
      </article>
      {user.id !== author.id && (
        <ul className={styles.acts}>
          <li>
            <Form
              act={author.is_followed ? 'unfollow' : 'follow'}
              submit={author.is_followed ? 'Не следить за автором' : 'Следить за автором'}
              variant="plain"
            />
          </li>
          <li>
            <Form
              act={isMuted ? 'unmute' : 'mute'}
              submit={isMuted ? 'Показывать автора' : 'Не показывать автора'}
              variant="plain"
            />
          </li>
        </ul>
      )}
    </div>
  ),
  acts: {
    follow: setting('Вы следите за автором', setAuthorFollowed, true),
    unfollow: setting('Вы больше не следите за автором', setAuthorFollowed, false),
    mute: setting('Автор скрыт', setMuted, true),
    unmute: setting('Автор снова показывается', setMuted, false),
  },
});
