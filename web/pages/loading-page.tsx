import hidden from '../ui/hidden.module.css';
import { PostCardSkeleton } from '../posts/post-card-skeleton.tsx';
import { isSecured, isPersonal, type Route } from '../router/routes.ts';
import { RepliesHeading } from './replies-heading.tsx';
import { SettingsSkeleton } from './settings-skeleton.tsx';

const shown = 8;

/** The shape of the page on its way: posts, or one post and its replies. */
export function LoadingPage({ of }: { of: Route }) {
  if (isSecured(of) && !isPersonal(of)) return <SettingsSkeleton of={of} />;
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
