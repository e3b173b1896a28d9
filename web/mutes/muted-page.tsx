import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { MuteButton } from './mute-button.tsx';
import nameLink from '../ui/name-link.module.css';
import styles from './muted-page.module.css';
import { MutedSkeleton } from './muted-skeleton.tsx';
import { useMutedUsers } from './use-muted-users.ts';

/** Whom the signed-in person has muted, the latest first, and the way back. */
export function MutedPage() {
  const { state, retry } = useMutedUsers();

  if (state.is === 'loading') return <MutedSkeleton />;
  if (state.is === 'failed') {
    return (
      <Notice title="Не удалось загрузить" text={state.message} action={<Button onClick={retry}>Повторить</Button>} />
    );
  }
  if (state.users.length === 0) {
    return (
      <Notice
        title="Вы никого не скрыли"
        text="Скрыть автора можно в меню его записи: она останется одной строкой, а он об этом не узнает."
      />
    );
  }
  return (
    <>
      <p className={styles.about}>
        Их записи и ответы стоят одной строкой, которую можно открыть. Сами они об этом не знают.
      </p>
      <ul className={styles.list}>
        {state.users.map(({ id, username }) => (
          <li key={id} className={styles.row}>
            <bdi className={nameLink.name}>
              <a id={`muted-${id}`} href={`/users/${username}`}>
                {username}
              </a>
            </bdi>
            <MuteButton authorId={id} describedBy={`muted-${id}`} />
          </li>
        ))}
      </ul>
    </>
  );
}
