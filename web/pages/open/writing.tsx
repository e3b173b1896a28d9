import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '#client/api-error.ts';
import type { CurrentUser } from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import type { FormFields } from '#contract/page-data.ts';
import type { PendingPost, Post } from '#contract/posts.ts';
import { normalizePostText } from '#contract/text.ts';
import { ShortText } from '../../features/posts/card/post-text.tsx';
import quote from '../../features/posts/card/quoted-post.module.css';
import { rootIdOf } from '../../features/posts/store/thread-tree.ts';
import { openDraft } from '../../features/posts/compose/drafts.ts';
import { judgeText, sharedText } from '../../features/posts/compose/typed-text.ts';
import { MentionArea } from '../../features/posts/compose/mention-area.tsx';
import styles from '../../features/posts/compose/replied-quote.module.css';
import { usePost, usePostStore } from '../../features/posts/store/use-posts.ts';
import { FormPage, TextField } from '../../forms/fields.tsx';
import { Form, LeaveButton } from '../../forms/form.tsx';
import { formProblem, type OpenContext, pageForAnyone, type Outcome } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import { PersonNames } from '../../ui/person-names.tsx';

const deleted = 'Запись удалена';

/** Safari does not focus a scrolling element by itself. */
const scrollable = { tabIndex: 0 };

/** The post to reply to; null if it is deleted. Unlike in a card, it is no link and can be read as a whole. */
function RepliedQuote({ post }: { post: Post | null }) {
  return post ? <Replied post={post} /> : <p className={`${quote.gone} ${styles.quote}`}>{deleted}</p>;
}

function Replied({ post }: { post: Post }) {
  const store = usePostStore();
  const current = usePost(post.id);
  const [last, setLast] = useState<Post>();
  if (current && current !== last) setLast(current);
  // Events change only posts that are in the store.
  useEffect(() => {
    if (!store.post(post.id)) store.storePost(post);
  }, [store, post]);
  const { owner, text } = current ?? last ?? post;
  return (
    <blockquote className={`${quote.plain} ${styles.quote}`} {...scrollable} aria-label="На что вы отвечаете">
      <bdi className={quote.author}>
        <PersonNames {...owner} />
      </bdi>
      <span className={styles.text} dir="auto">
        <ShortText text={text} />
      </span>
      {last && !current && (
        <span role="status" className={styles.gone}>
          {deleted}
        </span>
      )}
    </blockquote>
  );
}

type ReplyContext = OpenContext<{ id: string }>;

const nullIfGone = (error: unknown): null => {
  if (!isNotFound(error)) throw error;
  return null;
};

/** A post that the browser has already is not loaded again, so that the form opens at once. The server checks it when the reply is sent. */
async function repliedPost({ call, params, knownPost, user }: ReplyContext) {
  const known = knownPost(params.id);
  const replied = known ?? (await call('GET /posts/{id}', { params }).catch(nullIfGone));
  if (replied === null) return { id: params.id, replied, isGone: true };
  const rootId = rootIdOf(replied);
  const root = rootId === replied.id ? replied : knownPost(rootId);
  const first = root ?? (known ? null : await call('GET /posts/{id}', { params: { id: rootId } }).catch(nullIfGone));
  const { is_closed: isClosed = false, closed_by: closedBy, rule } = first?.actions ?? {};
  const isByMe = closedBy === 'author' && first!.owner.id === user?.id;
  return { id: replied.id, replied, rule, isClosed: isClosed && !isByMe };
}

type Sent = Post | { pending: PendingPost };

interface Sending {
  body: { text: string };
  headers: { 'idempotency-key': string };
}

/** `gone` gives the message for NOT_FOUND: the replied post, or the post published earlier with this key, was deleted. */
async function publish(
  context: OpenContext,
  { text: typed = '' }: FormFields,
  send: (input: Sending) => Promise<Sent>,
  gone: () => string | Promise<string> = () => isPublished,
): Promise<Outcome> {
  const judged = normalizePostText(typed);
  if (!judged.ok) throw formProblem(judged.reason);
  const { text } = judged;
  const sending = send({ body: { text }, headers: { 'idempotency-key': context.keyFor(text) } });
  const sent = await sending.catch(async (error: unknown) => {
    throw isNotFound(error) ? new ApiError('NOT_FOUND', await gone(), 404) : error;
  });
  const isHeld = 'pending' in sent;
  const ownList = isHeld && sent.pending.replied_post_id === null ? addresses.ownPosts : addresses.ownReplies;
  const to = isHeld ? ownList.href() : addresses.post.href(sent);
  const link = { href: to, text: 'Смотреть' };
  if (isHeld) return { to, message: 'Ждёт проверки', link, isHeld, isShownBelow: true };
  if (import.meta.env.SSR && context.user?.name_question) return askName(to);
  return { to, message: 'Опубликовано', link, newPost: sent, isShownBelow: true };
}

/** Leads to the page that asks for the name, and from there to `next`. With scripts the feed asks for the name instead. */
const askName = (next: string): Outcome => ({
  to: addresses.settingsProfile.href({}, { next }),
  message: 'Опубликовано. Как вас называть? Имя пишется любыми буквами.',
});

/** Publishes a root post. */
export const publishRoot = (context: OpenContext, fields: FormFields): Promise<Outcome> =>
  publish(context, fields, (input) => context.call('POST /posts', input));

const isPublished = 'Эта запись уже была опубликована и удалена. Её можно опубликовать ещё раз.';

export const newPost = pageForAnyone({
  View: ({ user, query }) => (
    <FormPage>
      <Writing user={user} act="publish" label="Текст записи" form="new-post" added={sharedText(query)} />
    </FormPage>
  ),
  acts: {
    publish: publishRoot,
  },
});

export const reply = pageForAnyone({
  load: repliedPost,
  View({ user, query, id, replied, rule, isClosed }) {
    const quoted = query.get('quote');
    const added = quoted === null ? '' : `${quoted}\n`;
    return (
      <FormPage>
        {isClosed ? (
          <>
            <p>{rule}</p>
            <LeaveButton href={addresses.post.href({ id })} text="Понятно" />
          </>
        ) : (
          <Writing user={user} act="reply" label="Текст ответа" form={`reply:${id}`} added={added} postId={id}>
            <RepliedQuote post={replied} />
            {rule !== undefined && <p>{rule}</p>}
          </Writing>
        )}
      </FormPage>
    );
  },
  acts: {
    reply(context: ReplyContext, fields) {
      const { call, params } = context;
      const isGone = 'Ответить нельзя: этой записи больше нет. Ваш текст сохранён.';
      const gone = () =>
        call('GET /posts/{id}', { params }).then(
          () => isPublished,
          () => isGone,
        );
      return publish(context, fields, (input) => call('POST /posts/{id}/replies', { ...input, params }), gone);
    },
  },
});

interface WritingProps {
  user: CurrentUser | null;
  act: string;
  label: string;
  /** The name of the form, by which its draft is stored. */
  form: string;
  /** The text that the address adds to the draft. */
  added: string;
  /** The post to reply to. */
  postId?: string;
  submit?: string;
  children?: ReactNode;
}

/** The form of a new post and of a reply. */
export function Writing({ user, act, label, form, added, postId, submit = 'Опубликовать', children }: WritingProps) {
  // The draft stays that of the person who opened the form, even if the session ends.
  const [draft] = useState(() => openDraft(user?.id ?? '', form, added));
  const check = (typed: string) => {
    const { text, problem, remaining } = judgeText(typed);
    return { isGood: text !== null, problem, remaining };
  };
  return (
    <Form
      act={act}
      submit={submit}
      isForText
      keyFor={({ text = '' }) => draft.keyFor(text)}
      onDone={draft.forget}
      onFailure={({ code }) => code === 'NOT_FOUND' && draft.forgetKey()}
    >
      {children}
      {user === null && <p>Опубликовать можно, когда вы войдёте. Написанное сохранится.</p>}
      <TextField
        name="text"
        label={label}
        value={added}
        check={check}
        draft={draft}
        takesFocus
        {...(user && { Area: MentionArea })}
        postId={postId ?? null}
      />
    </Form>
  );
}
