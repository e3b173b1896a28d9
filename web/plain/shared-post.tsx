import { addresses } from '#contract/addresses.ts';
import { getSharedPost } from '#contract/posts.ts';
import { machineTime, relativeTime } from '../lib/time.ts';
import { PersonNames } from '../ui/person-names.tsx';
import { plainPage } from './plain-page.ts';
import { PlainText } from './post-view.tsx';

/** A post that its author has opened to everyone, alone: the rest of the wall is for members. */
export const sharedPost = plainPage<{ id: string }>({
  address: addresses.sharedPost,
  access: 'public',
  async show({ call, params, now, user, settings: { appName } }) {
    const { owner, text, created_at: at, is_modified: isModified } = await call(getSharedPost, { params });
    const post = addresses.post.href(params);
    const body = (
      <>
        <article>
          <p className="quiet">
            <PersonNames {...owner} /> · <time dateTime={machineTime(at)}>{relativeTime(at, now)}</time>
            {isModified && ' · изменено'}
          </p>
          <PlainText text={text} />
        </article>
        <p>
          {user === null && `Обсуждение и другие записи стены «${appName}» видят её участники. `}
          <a href={user === null ? addresses.signIn.href({}, { next: post }) : post}>
            {user === null ? 'Войти' : 'К записи'}
          </a>
        </p>
      </>
    );
    return { heading: `Запись на стене «${appName}»`, body };
  },
});
