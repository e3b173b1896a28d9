import hidden from '../ui/hidden.module.css';
import { PostCardSkeleton } from '../posts/post-card-skeleton.tsx';
import { isSecured, isPersonal, type Route } from '../router/routes.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './loading-page.module.css';
import { RepliesHeading } from './replies-heading.tsx';
import { SettingsSkeleton } from './settings-skeleton.tsx';

const shown = 8;

/** The shape of the page on its way: posts, or one post and its replies. */
export function LoadingPage({ of }: { of: Route }) {
  if (isSecured(of)) {
    return (
      <>
        <noscript>
          {/* React never renders what stands in <noscript> in the browser. */}
          {import.meta.env.SSR && (
            <Notice
              title="Нужен JavaScript"
              text="Эта страница видна только вам и без JavaScript не открывается. Включите его в настройках браузера. Ленту можно читать и без него."
              action={
                <a href="/" className={styles.link}>
                  Лента
                </a>
              }
            />
          )}
        </noscript>
        <div className={styles.scripted}>
          {isPersonal(of) ? <PostSkeletons of={of} /> : <SettingsSkeleton of={of} />}
        </div>
      </>
    );
  }
  return <PostSkeletons of={of} />;
}

function PostSkeletons({ of }: { of: Route }) {
  return (
    <div aria-busy="true">
      <span className={hidden.always}>Загрузка</span>
      {of.name === 'post' && (
        <>
          <PostCardSkeleton />
          <RepliesHeading />
        </>
      )}
      {Array.from({ length: shown }, (_, index) => (
        <PostCardSkeleton key={index} />
      ))}
    </div>
  );
}
