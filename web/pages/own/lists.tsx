import type { RemovedPost } from '#contract/posts.ts';
import { isReply } from '../../features/moderation/removed-area.tsx';
import { RemovedPosts } from '../../features/moderation/removed-posts.tsx';
import { DeletedLine, PendingPosts } from '../../features/posts/compose/pending-posts.tsx';
import { PostList } from '../../features/posts/list/post-list.tsx';
import type { PostListSource } from '../../features/posts/store/post-list-state.ts';
import { ChosenWords, wordActs } from '../../features/words/chosen-words.tsx';
import wordStyles from '../../features/words/chosen-words.module.css';
import type { PageModule } from '../../forms/page-module.ts';
import { feedViews } from '../feed-tabs.tsx';
import { PersonTabs } from '../person-tabs.tsx';
import { listPage } from './list-page.ts';

export const liked = listPage({
  load: async ({ list }) => ({ list: await list({ kind: 'liked' }) }),
  View: ({ list }) => <PostList list={list} label={feedViews.liked.name} />,
});

export const saved = listPage({
  load: async ({ list }) => ({ list: await list({ kind: 'saved' }) }),
  View: ({ list, user }) => (
    <>
      <PersonTabs username={user.username} isOwn current="Сохранённое" />
      <PostList list={list} label="Сохранённое" empty={nothingSaved} />
    </>
  ),
});

const nothingSaved = {
  title: 'Пока ничего не сохранено',
  text: 'Выберите «Сохранить» в меню записи: её увидите здесь только вы',
};

/** The followed discussions, new posts of followed authors, and posts with followed words. A search leads here with a `word`. */
export const following = listPage({
  async load({ call, list, query }) {
    const isFirst = !query.has('cursor');
    const [posts, words] = await Promise.all([
      list({ kind: 'following' }),
      isFirst ? call('GET /users/current/words', {}) : undefined,
    ]);
    return { list: posts, words: words?.words };
  },
  View({ list, words, query }) {
    const proposed = query.get('word') ?? undefined;
    const count = words?.filter(({ kind }) => kind === 'follow').length ?? 0;
    return (
      <>
        {words && (
          <details className={wordStyles.folded} open={proposed !== undefined}>
            <summary>Слова, за которыми вы следите{count > 0 && `: ${count}`}</summary>
            <ChosenWords words={words} kind="follow" {...(proposed !== undefined && { proposed })} />
          </details>
        )}
        <PostList
          list={list}
          label="Обсуждения, авторы и слова, за которыми вы следите"
          empty={count > 0 ? nothingWithWords : nothingFollowed}
        />
      </>
    );
  },
  acts: wordActs('follow'),
});

const nothingWithWords = {
  title: 'Пока ничего нового',
  text: 'Здесь будут новые записи и ответы со словами, за которыми вы следите',
};

const nothingFollowed = {
  title: 'Вы ни за чем не следите',
  text: 'Ответьте в обсуждении или выберите «Следить за обсуждением» или «Следить за автором» в меню записи',
};

export const ownPosts = written(
  feedViews.ownPosts.name,
  (userId) => ({ kind: 'user', userId }),
  (post) => !isReply(post),
);

export const ownReplies = written(feedViews.ownReplies.name, () => ({ kind: 'own-replies' }), isReply);

/** The person's posts or replies. Above them are those that a moderator has removed, and those that wait for a moderator. */
function written(
  name: string,
  source: (userId: string) => PostListSource,
  belongs: (post: Pick<RemovedPost, 'replied_post_id'>) => boolean,
): PageModule {
  return listPage({
    async load({ call, list, user, query }) {
      const isFirst = !query.has('cursor');
      const [posts, withdrawn] = await Promise.all([
        list(source(user.id)),
        isFirst ? call('GET /posts/removed', {}).catch(() => undefined) : undefined,
      ]);
      return { list: posts, withdrawn };
    },
    View({ list, withdrawn }) {
      const removed = withdrawn?.posts.filter(belongs) ?? [];
      return (
        <>
          {removed.length > 0 && <RemovedPosts posts={removed} />}
          <PendingPosts which={belongs} first={withdrawn} />
          <PostList list={list} label={name} />
          <DeletedLine first={withdrawn} />
        </>
      );
    },
  });
}
