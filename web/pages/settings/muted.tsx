import { useEffect } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Owner } from '#contract/posts.ts';
import { useMutes } from '../../features/mutes/mutes.ts';
import { setMuted } from '../../features/session/own-calls.ts';
import { Form } from '../../forms/form.tsx';
import { act, page } from '../../forms/page-module.ts';
import list from '../../ui/list-page.module.css';
import nameLink from '../../ui/name-link.module.css';
import { Notice } from '../../ui/notice.tsx';
import { PersonNames } from '../../ui/person-names.tsx';
import styles from './muted.module.css';

/** The authors whom the person has muted, latest first. */
export const muted = page({
  load: ({ call }) => call('GET /users/current/mutes', {}),
  View: ({ users }) => <Muted users={users} />,
  acts: {
    unmute: act('Автор снова показывается', ({ call }, { id = '' }) => setMuted(call, id, false)),
  },
});

function Muted({ users }: { users: Owner[] }) {
  const mutes = useMutes();
  useEffect(() => mutes.adopt(users), [mutes, users]);

  if (users.length === 0) {
    return (
      <Notice
        title="Вы показываете всех авторов"
        text="Не показывать автора можно в меню его записи: в списках его не станет, а он об этом не узнает."
      />
    );
  }
  return (
    <section aria-label="Кого не показывать">
      <p className={list.about}>
        В списках их нет, в обсуждениях от их ответов остаётся строка, которую можно открыть. Сами они об этом не знают.
      </p>
      <ul className={list.list}>
        {users.map(({ id, ...names }) => (
          <li key={id} className={styles.row}>
            <bdi className={nameLink.name}>
              <a id={`muted-${id}`} href={addresses.user.href(names)}>
                <PersonNames {...names} />
              </a>
            </bdi>
            <Form
              act="unmute"
              id={id}
              submit="Показывать автора"
              variant="plain"
              describedBy={`muted-${id}`}
              isInline
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
