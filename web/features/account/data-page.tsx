import { type CurrentUser, getKeptData } from '#contract/account.ts';
import { call } from '../../lib/api.ts';
import page from '../../ui/list-page.module.css';
import { FailedNotice } from '../../ui/notice.tsx';
import { GroupsSkeleton } from '../../ui/groups-skeleton.tsx';
import { useLoaded } from '../session/use-loaded.ts';
import styles from './data-page.module.css';
import { DownloadButton } from './download-button.tsx';
import { keptNumber, keptSections, keptSpan } from './kept-words.ts';

const read = (signal: AbortSignal) => call(getKeptData, { signal });

/** What the wall keeps about the signed-in person. */
export function DataPage({ user }: { user: CurrentUser }) {
  const { loaded, retry } = useLoaded(read);

  if (loaded.is === 'loading') return <GroupsSkeleton />;
  if (loaded.is === 'failed') return <FailedNotice message={loaded.message} onRetry={retry} />;
  return (
    <>
      <div className={page.about}>
        <p className={styles.intro}>Это всё, что стена хранит о вас. В файле — то же самое, строка за строкой.</p>
        <DownloadButton username={user.username} variant="quiet" />
      </div>
      {keptSections(loaded.value.kept).map(({ section, items }) => (
        <section key={section} aria-label={section}>
          <h2 className={page.heading}>{section}</h2>
          <dl className={styles.list}>
            {items.map((kept) => (
              <div key={kept.title} className={styles.item}>
                <dt>{kept.title}</dt>
                {kept.count !== null && <dd className={styles.number}>{keptNumber(kept.count)}</dd>}
                <dd className={styles.about}>{kept.about}</dd>
                {kept.first_at !== null && <dd className={styles.about}>{keptSpan(kept)}</dd>}
                <dd className={styles.about}>Хранится: {kept.kept_until}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}
