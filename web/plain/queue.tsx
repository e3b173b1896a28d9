import { addresses } from '#contract/addresses.ts';
import { dismissReports, listReported, removePost, returnPost } from '#contract/moderation.ts';
import { moderationReasons } from '#contract/moderation-acts.ts';
import type { FormFields } from '#contract/page.ts';
import { dismissalReasons, undoReasons } from '../features/moderation/desk/act.ts';
import { PersonNames } from '../ui/person-names.tsx';
import { asChoices, DeskLinks } from './desk-parts.tsx';
import { Choices, Form } from './form.tsx';
import { NextLink } from './next-link.tsx';
import { done, formProblem, here, type PlainAct, plainPage } from './plain-page.ts';

export function chosenReason({ reason = '' }: FormFields): { reason: string } {
  if (reason === '') throw formProblem('Выберите причину.');
  return { reason };
}

export const decide =
  (call: typeof removePost, message: string): PlainAct =>
  async (context, fields) => {
    await context.call(call, { params: { id: fields['id'] ?? '' }, body: chosenReason(fields) });
    return done(context, message, { to: here(context) });
  };

/** Reported posts: what is open, or everything with what was removed. */
export const queue = plainPage({
  address: addresses.moderation,
  access: 'user',
  async show({ call, query, path }) {
    const [state, cursor] = [query.get('state') === 'all' ? 'all' : 'open', query.get('cursor')] as const;
    const { reports, next, settled } = await call(listReported, { query: { state, ...(cursor && { cursor }) } });
    const body = (
      <>
        <DeskLinks path={path} />
        <p>
          {state === 'open' ? (
            settled > 0 && <a href={`${path}?state=all`}>Рассмотрено: {settled}</a>
          ) : (
            <a href={path}>Только открытые</a>
          )}
        </p>
        {reports.length === 0 && <p>Жалоб нет</p>}
        {reports.map((post) => (
          <article key={post.post_id}>
            <p className="quiet">
              <a href={addresses.moderationPerson.href(post.author)}>
                <PersonNames {...post.author} />
              </a>{' '}
              · <a href={addresses.post.href({ id: post.post_id })}>запись</a> · жалоб: {post.reports.length}
              {post.state === 'removed' && ' · убрана со стены'}
              {post.state === 'deleted' && ' · удалена автором'}
            </p>
            <p className="text">{post.text}</p>
            {post.reports.map(
              ({ comment }, index) =>
                comment !== null && (
                  <p key={index} className="text quiet">
                    Жалоба: {comment}
                  </p>
                ),
            )}
            {post.state === 'removed' && (
              <Form act="return" id={post.post_id} submit="Вернуть на стену" isQuiet>
                <Choices name="reason" legend="Причина" choices={asChoices(undoReasons)} />
              </Form>
            )}
            {post.state !== 'removed' && post.state !== 'deleted' && (
              <Form act="remove" id={post.post_id} submit="Убрать со стены" isQuiet>
                <Choices name="reason" legend="Причину увидит автор" choices={asChoices(moderationReasons)} />
              </Form>
            )}
            {post.open > 0 && (
              <Form act="dismiss" id={post.post_id} submit="Оставить" isQuiet>
                <Choices name="reason" legend="Причина останется в журнале" choices={asChoices(dismissalReasons)} />
              </Form>
            )}
          </article>
        ))}
        <NextLink context={{ path, query }} next={next} />
      </>
    );
    return { heading: 'Модерация', body };
  },
  acts: {
    remove: decide(removePost, 'Убрано со стены'),
    return: decide(returnPost, 'Возвращено на стену'),
    dismiss: decide(dismissReports, 'Оставлено'),
  },
});
