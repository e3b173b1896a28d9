import type { Owner, Post } from '#contract/posts.ts';
import { explainError, isNotFound } from '../../../lib/explain-error.ts';
import { call } from '../../../lib/api.ts';
import { createLatestWins } from '../../../lib/latest-wins.ts';
import { createObservable } from '../../../lib/observable.ts';
import { showToast } from '../../../lib/toasts.ts';
import type { ChoiceAction } from '../../session/actions.ts';
import { authorSubject, setAuthorFollowed, setFollowed, setSaved } from '../../session/own-calls.ts';
import { ownKey } from '../../session/sign-in-flag.ts';
import { postGone } from '../store/post-list-state.ts';
import type { PostStore } from '../store/post-store.ts';

interface ChoiceOptions<Of> {
  /** Names the subject of the choice: the post itself, its discussion or its author. */
  subjectOf(post: Of): string;
  read(post: Of): Promise<boolean>;
  /** Resolves to the state after the change. */
  write(post: Of, chosen: boolean): Promise<boolean>;
  /** The messages after choosing and after taking the choice back. `gone`: the message for a subject that does not exist any more. */
  messages: readonly [string, string];
  gone?: string;
}

export type PostChoice = ReturnType<typeof createPostChoice<Post>>;

/** Something that a signed-in person may choose for a post, such as following its discussion. */
function createPostChoice<Of>({ subjectOf, read, write, messages, gone = postGone }: ChoiceOptions<Of>) {
  /** The known states by key. */
  const states = createObservable<ReadonlyMap<string, boolean>>(new Map());

  const changes = createLatestWins<{ post: Of; chosen: boolean }, boolean>({
    isDone: ({ chosen }, state) => chosen === state,
    send: ({ post, chosen }) => write(post, chosen),
    onDone(chosen, { key, before }) {
      remember(key, chosen);
      if (chosen !== before) showToast(messages[chosen ? 0 : 1], undefined, key);
    },
    onFailed(chosen, { key, error }) {
      remember(key, chosen);
      showToast(isNotFound(error) ? gone : explainError(error));
    },
  });

  const keyOf = (post: Of): string => ownKey(subjectOf(post));

  function remember(key: string, chosen: boolean): void {
    states.set(new Map(states.get()).set(key, chosen));
  }

  /** Takes effect at once. A failure undoes it and shows a toast. */
  function change(post: Of, chosen: boolean): void {
    const key = keyOf(post);
    const before = states.get().get(key) ?? !chosen;
    remember(key, chosen);
    changes.change(key, { post, chosen }, before);
  }

  return {
    change,

    states,
    keyOf,

    /** Asks the server. After a failure a known state stays, and an unknown one counts as not chosen: choosing twice does no harm. */
    async ask(post: Of): Promise<void> {
      const key = keyOf(post);
      const before = states.get().get(key);
      const response = await read(post).catch(() => null);
      // A change made here meanwhile is newer than the response.
      if (changes.isBusy(key) || states.get().get(key) !== before) return;
      if (response !== null) remember(key, response);
      else if (before === undefined) remember(key, false);
    },
  };
}

/** A post, or the page of an author. */
interface Authored {
  owner: Pick<Owner, 'id' | 'username'>;
}

export const following = createPostChoice<Post>({
  subjectOf: ({ id, actions }) => `discussion ${actions.parent_post_id ?? id}`,
  read: async ({ id }) => (await call('GET /posts/{id}/follow', { params: { id } })).following,
  write: async ({ id }, chosen) => (await setFollowed(call, id, chosen)).following,
  messages: ['Вы следите за обсуждением', 'Вы больше не следите за обсуждением'],
});

export const bookmark = createPostChoice<Post>({
  subjectOf: ({ id }) => id,
  read: async ({ id }) => (await call('GET /posts/{id}/bookmark', { params: { id } })).saved,
  async write({ id }, chosen) {
    await setSaved(call, id, chosen);
    return chosen;
  },
  messages: ['Сохранено', 'Убрано из сохранённого'],
});

export const authors = createPostChoice<Authored>({
  subjectOf: ({ owner }) => authorSubject(owner.id),
  read: async ({ owner }) => (await call('GET /users/{username}', { params: owner })).is_followed === true,
  async write({ owner }, chosen) {
    await setAuthorFollowed(call, owner.id, chosen);
    return chosen;
  },
  messages: ['Вы следите за автором', 'Вы больше не следите за автором'],
  gone: 'Автора больше нет на стене',
});

/** Chooses `action` after the sign-in. The post may not be loaded yet: then it is requested. */
export async function choose(store: PostStore, action: ChoiceAction): Promise<void> {
  if (action.kind === 'author') return authors.change({ owner: action.author }, true);
  const { kind, postId } = action;
  try {
    const post = store.post(postId) ?? (await call('GET /posts/{id}', { params: { id: postId } }));
    (kind === 'follow' ? following : bookmark).change(post, true);
  } catch (error) {
    showToast(isNotFound(error) ? postGone : explainError(error));
  }
}
