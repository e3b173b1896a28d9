import { useEffect } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Owner } from '#contract/posts.ts';
import type { ChosenWord } from '#contract/words.ts';
import { useMutes } from '../../features/mutes/mutes.ts';
import { setMuted } from '../../features/session/own-calls.ts';
import { ChosenWords, wordActs } from '../../features/words/chosen-words.tsx';
import { Form } from '../../forms/form.tsx';
import { act, page } from '../../forms/page-module.ts';
import list from '../../ui/list-page.module.css';
import nameLink from '../../ui/name-link.module.css';
import { Notice } from '../../ui/notice.tsx';
import { PersonNames } from '../../ui/person-names.tsx';
import styles from './muted.module.css';

/** The authors whom the person has muted, latest first, and the words that the person hides. */
export const muted = page({
  async load({ call }) {
    const [{ users }, { words }] = await Promise.all([
      call('GET /users/current/mutes', {}),
      call('GET /users/current/words', {}),
    ]);
    return { users, words };
  },
  View: ({ users, words }) => (
    <>
      <Muted users={users} words={words} />
      <section aria-labelledby="words">
        <h2 id="words" className={list.heading}>
          Слова
        </h2>
        <ChosenWords words={words} kind="hide" />
      </section>
    </>
  ),
  acts: {
    ...wordActs('hide'),
    unmute: act('Автор снова показывается', ({ call }, { id = '' }) => setMuted(call, id, false)),
  },
});

function Muted({ users, words }: { users: Owner[]; words: ChosenWord[] }) {
  const mutes = useMutes();
  useEffect(() => {
    void mutes.sync.load().then(({ adopt, adoptWords }) => {
      adopt(users);
      return adoptWords(words);
    });
  }, [mutes, users, words]);

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
