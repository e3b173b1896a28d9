import { addresses } from '#contract/addresses.ts';
import { explainLoading } from '../../lib/on-demand.ts';
import page from '../../ui/list-page.module.css';
import nameLink from '../../ui/name-link.module.css';
import { FailedNotice, Notice } from '../../ui/notice.tsx';
import { PersonNames } from '../../ui/person-names.tsx';
import skeleton from '../../ui/skeleton.module.css';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import { useLoaded } from '../session/use-loaded.ts';
import { MuteButton } from './mute-button.tsx';
import styles from './muted-page.module.css';
import { useMutes } from './mutes.ts';

/** The authors whom the signed-in person has muted, latest first. */
export function MutedPage() {
  // As it was when the page was opened: an author who is shown again can be muted again.
  const { loaded, retry } = useLoaded(useMutes().refresh, explainLoading);

  if (loaded.is === 'loading') return <Skeleton />;
  if (loaded.is === 'failed') return <FailedNotice message={loaded.message} onRetry={retry} />;
  if (loaded.value.length === 0) {
    return (
      <Notice
        title="Вы показываете всех авторов"
        text="Не показывать автора можно в меню его записи: она останется одной строкой, а он об этом не узнает."
      />
    );
  }
  return (
    <>
      <p className={page.about}>
        Их записи и ответы стоят одной строкой, которую можно открыть. Сами они об этом не знают.
      </p>
      <ul className={page.list}>
        {loaded.value.map(({ id, ...names }) => (
          <li key={id} className={styles.row}>
            <bdi className={nameLink.name}>
              <a id={`muted-${id}`} href={addresses.user.href(names)}>
                <PersonNames {...names} />
              </a>
            </bdi>
            <MuteButton authorId={id} describedBy={`muted-${id}`} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Skeleton() {
  return (
    <div className={skeleton.skeleton} aria-busy="true">
      <span className={visuallyHidden.always}>Загрузка</span>
      {['first', 'second', 'third'].map((row) => (
        <div key={row} className={styles.skeletonRow} aria-hidden="true">
          <span />
        </div>
      ))}
    </div>
  );
}
