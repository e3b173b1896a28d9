import { addresses } from '#contract/addresses.ts';
import { getBookmark, removeBookmark, saveBookmark } from '#contract/bookmarks.ts';
import { lockReasons, moderationReasons } from '#contract/moderation-acts.ts';
import { paceSeconds, paceText } from '#contract/pace.ts';
import { lockDiscussion, paceDiscussion, removePost, returnPost, unlockDiscussion } from '#contract/moderation.ts';
import { listMutes, mute, unmute } from '#contract/mutes.ts';
import { follow, getFollow, unfollow } from '#contract/notifications.ts';
import {
  deletePost,
  editPost,
  getPost,
  getSharedPost,
  likePost,
  listRemoved,
  type Post,
  restorePost,
  sharePost,
  unlikePost,
  unsharePost,
} from '#contract/posts.ts';
import { otherReason } from '#contract/report-comment.ts';
import { listReasons, reportPost } from '#contract/reports.ts';
import { isNotFound } from '../lib/api-error.ts';
import { rootOf, textOf } from './compose.tsx';
import { asChoices, reasonOf } from './desk-parts.tsx';
import { Choices, Field, Form, TextField } from './form.tsx';
import { act, formProblem, type PlainContext, plainPage } from './plain-page.ts';
import { PlainText, PostView } from './post-view.tsx';

interface Params {
  id: string;
}

const authorOf = async ({ params, call }: PlainContext<Params>) => (await call(getPost, { params })).owner.id;

function isNotFoundOrThrow(error: unknown): false {
  if (!isNotFound(error)) throw error;
  return false;
}

const reasonChoices = asChoices(moderationReasons);
const lockChoices = asChoices(lockReasons);
const paces = [0, ...paceSeconds] as const;
const paceChoices = paces.map((seconds) => ({
  id: String(seconds),
  name: seconds === 0 ? 'без ограничений' : paceText(seconds),
}));

/** What a person can do to a post: the menu of its card as a page. */
export const postActions = plainPage<Params>({
  address: addresses.postActions,
  access: 'user',
  async show(context) {
    const { params, call } = context;
    const heading = 'Действия с записью';
    const post = await call(getPost, { params }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    return post ? { heading, body: await present(context, post) } : { heading, body: await gone(context), status: 404 };
  },
  acts: {
    like: act('Отмечено', ({ params, call }) => call(likePost, { params })),
    unlike: act('Отметка снята', ({ params, call }) => call(unlikePost, { params })),
    follow: act('Вы следите за обсуждением', ({ params, call }) => call(follow, { params })),
    unfollow: act('Вы больше не следите за обсуждением', ({ params, call }) => call(unfollow, { params })),
    save: act('Сохранено', ({ params, call }) => call(saveBookmark, { params })),
    unsave: act('Убрано из сохранённого', ({ params, call }) => call(removeBookmark, { params })),
    mute: act('Автор не показывается', async (it) => it.call(mute, { params: { id: await authorOf(it) } })),
    unmute: act('Автор снова показывается', async (it) => it.call(unmute, { params: { id: await authorOf(it) } })),
    delete: act('Удалено', ({ params, call }) => call(deletePost, { params })),
    restore: act('Возвращено', ({ params, call }) => call(restorePost, { params })),
    share: act('Запись видна всем', ({ params, call }) => call(sharePost, { params })),
    unshare: act('Запись видна участникам', ({ params, call }) => call(unsharePost, { params })),
    edit: act('Изменено', ({ params, call }, fields) => call(editPost, { params, body: { text: textOf(fields) } })),
    report: act('Жалоба отправлена', ({ params, call }, { reason, comment = '' }) => {
      if (!reason) throw formProblem('Выберите причину.');
      const isCommented = reason === otherReason || comment.trim() !== '';
      return call(reportPost, { params, query: { reason_id: reason }, ...(isCommented && { body: { comment } }) });
    }),
    remove: act('Убрано со стены', ({ params, call }, fields) =>
      call(removePost, { params, body: { reason: reasonOf(fields) } }),
    ),
    lock: act('Обсуждение закрыто', ({ params, call }, fields) =>
      call(lockDiscussion, { params, body: { reason: reasonOf(fields) } }),
    ),
    unlock: act('Обсуждение открыто', ({ params, call }, fields) =>
      call(unlockDiscussion, { params, body: { reason: reasonOf(fields) } }),
    ),
    pace: act('Установлено', ({ params, call }, fields) => {
      const seconds = paces.find((pause) => String(pause) === fields['seconds']);
      if (seconds === undefined) throw formProblem('Выберите, как часто можно отвечать.');
      return call(paceDiscussion, { params, body: { seconds } });
    }),
    return: act('Возвращено на стену', ({ params, call }, fields) =>
      call(returnPost, { params, body: { reason: reasonOf(fields) } }),
    ),
  },
});

async function present({ params, call, user, now, settings }: PlainContext<Params>, post: Post) {
  const isOwn = post.owner.id === user!.id;
  const mayShare = isOwn && settings.isClosed === true;
  const [isShared, { following }, { saved }, { users }, { reasons }] = await Promise.all([
    mayShare && call(getSharedPost, { params }).then(() => true, isNotFoundOrThrow),
    call(getFollow, { params }),
    call(getBookmark, { params }),
    call(listMutes, {}),
    call(listReasons, {}),
  ]);
  const isMuted = users.some(({ id }) => id === post.owner.id);
  const mayEdit = isOwn && now < post.created_at + settings.editWindowSeconds;
  const { is_liked: isLiked, replied_post_id: repliedId } = post.actions;
  const isReply = repliedId !== null;
  return (
    <>
      <PostView post={post} now={now} isAlone />
      <p>
        <a href={addresses.post.href(post)}>К записи</a> · <a href={addresses.postReply.href(post)}>Ответить</a>
      </p>
      <Form act={isLiked ? 'unlike' : 'like'} submit={isLiked ? 'Снять отметку «Нравится»' : 'Нравится'} />
      <Form
        act={following ? 'unfollow' : 'follow'}
        submit={following ? 'Не следить' : 'Следить за обсуждением'}
        isQuiet
      />
      <Form act={saved ? 'unsave' : 'save'} submit={saved ? 'Убрать из сохранённого' : 'Сохранить запись'} isQuiet />
      {mayEdit && (
        <section>
          <h2>{isReply ? 'Изменение ответа' : 'Изменение записи'}</h2>
          <Form act="edit" submit="Сохранить">
            <TextField label={isReply ? 'Текст ответа' : 'Текст записи'} value={post.text} />
          </Form>
        </section>
      )}
      {mayShare && (
        <section>
          <h2>Кому видна запись</h2>
          <p>
            {isShared
              ? 'Всем, у кого есть ссылка на неё. Ответы видят только участники.'
              : 'Участникам: стена закрыта. Можно открыть одну эту запись, без ответов, и послать ссылку кому угодно.'}
          </p>
          <Form act={isShared ? 'unshare' : 'share'} submit={isShared ? 'Только участникам' : 'Видна всем'} isQuiet />
        </section>
      )}
      {isOwn && (
        <section>
          <h2>{isReply ? 'Удалить ответ?' : 'Удалить запись?'}</h2>
          <p>Передумать можно в течение пяти минут: сразу или в списке своих {isReply ? 'ответов' : 'записей'}.</p>
          <Form act="delete" submit="Удалить" isQuiet />
        </section>
      )}
      {!isOwn && (
        <>
          <Form
            act={isMuted ? 'unmute' : 'mute'}
            submit={isMuted ? 'Показывать автора' : 'Не показывать автора'}
            isQuiet
          />
          <section>
            <h2>Пожаловаться</h2>
            <Form act="report" submit="Отправить" isQuiet>
              <Choices name="reason" legend="Что не так с этой записью?" choices={reasons} />
              <Field name="comment" label="Своими словами, если другое" />
            </Form>
          </section>
        </>
      )}
      {user!.role !== undefined && (
        <section>
          <h2>Модерация</h2>
          <p>
            <a href={addresses.moderationPerson.href(post.owner)}>Автор в модерации</a>
          </p>
          {!isOwn && (
            <Form act="remove" submit="Убрать со стены" isQuiet>
              <Choices name="reason" legend="Причина, её увидит автор" choices={reasonChoices} />
              <Field name="own" label="Своя причина" />
            </Form>
          )}
          <DiscussionForms root={await rootOf(call, post)} />
        </section>
      )}
    </>
  );
}

function DiscussionForms({ root }: { root: Post | undefined }) {
  const { is_closed: isClosed, pace = 0 } = root?.actions ?? {};
  if (isClosed) {
    return (
      <Form act="unlock" submit="Открыть обсуждение" isQuiet>
        <Field name="own" label="Почему открыть обсуждение" />
      </Form>
    );
  }
  return (
    <>
      <Form act="lock" submit="Закрыть обсуждение" isQuiet>
        <Choices name="reason" legend="Новых ответов не будет. Почему?" choices={lockChoices} />
        <Field name="own" label="Другая причина" />
      </Form>
      <Form act="pace" submit="Установить" isQuiet>
        <Choices name="seconds" legend="Медленный режим" choices={paceChoices} chosen={String(pace)} />
      </Form>
    </>
  );
}

/** The post is not on the wall. Its author may restore it for some minutes, a moderator one that was removed. */
async function gone({ params, call, user, now }: PlainContext<Params>) {
  const { deleted, posts } = await call(listRemoved, {});
  const restorable = deleted.find(({ id, restorable_until: until }) => id === params.id && now <= until);
  const removed = posts.find(({ id }) => id === params.id);
  return (
    <>
      {restorable ? (
        <>
          <PlainText text={restorable.text} />
          <Form act="restore" submit="Вернуть" />
        </>
      ) : (
        <p>
          {removed
            ? `Запись убрана со стены теми, кто её ведёт. Причина: ${removed.reason}`
            : 'Запись не существует или была удалена'}
        </p>
      )}
      {user!.role !== undefined && (
        <Form act="return" submit="Вернуть на стену" isQuiet>
          <Field name="own" label="Причина возвращения" />
        </Form>
      )}
    </>
  );
}
