import { useId } from 'react';
import { addresses } from '#contract/addresses.ts';
import { PostText } from '../../features/posts/card/post-text.tsx';
import { FormPage } from '../../forms/fields.tsx';
import { pageForAnyone, type OpenContext } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import { PersonNames } from '../../ui/person-names.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import styles from '../../forms/form.module.css';

/** A single post that its author has shared with everyone. The rest of the wall is for members. */
export const sharedPost = pageForAnyone({
  load: async ({ call, params }: OpenContext<{ id: string }>) => ({
    post: await call('GET /posts/{id}/shared', { params }),
  }),
  View({ post: { id, owner, text, created_at: at, is_modified: isModified }, user }) {
    const { appName } = useClientSettings();
    const textId = useId();
    const href = addresses.post.href({ id });
    return (
      <FormPage title={`Запись на стене «${appName}»`}>
        <article>
          <p className={styles.note}>
            <PersonNames {...owner} /> · <LocalTime at={at} />
            {isModified && ' · изменено'}
          </p>
          <PostText id={textId} text={text} />
        </article>
        <p>
          {user === null && `Обсуждение и другие записи стены «${appName}» видят её участники. `}
          <a href={user === null ? addresses.signIn.href({}, { next: href }) : href}>
            {user === null ? 'Войти' : 'К записи'}
          </a>
        </p>
      </FormPage>
    );
  },
});
