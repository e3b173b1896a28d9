import { addresses } from '#contract/addresses.ts';
import { approvePost, listPending, removePost, verifyModeration } from '#contract/moderation.ts';
import { moderationReasons } from '#contract/moderation-acts.ts';
import type { FormFields, PlainOutcome } from '#contract/page.ts';
import { PersonNames } from '../ui/person-names.tsx';
import { blockAllOf } from '../features/moderation/desk/block-all.ts';
import { CodeForm, codeOf, withFreshCode } from './code-form.tsx';
import { asChoices, DeskLinks } from './desk-parts.tsx';
import { Carried, Choices, Form } from './form.tsx';
import { NextLink } from './next-link.tsx';
import { act, type PlainContext, plainPage } from './plain-page.ts';
import { chosenReason, decide } from './queue.tsx';

const reasons = asChoices(moderationReasons);

async function blockAll(context: PlainContext, fields: FormFields): Promise<PlainOutcome> {
  const { since = '', until = '' } = fields;
  const { reason } = chosenReason(fields);
  return withFreshCode(context, { since, until, reason }, () =>
    blockAllOf(context.call, { since: Number(since), until: Number(until), reason }),
  );
}

/** Newcomers' posts that wait. */
export const waiting = plainPage({
  address: addresses.moderationWaiting,
  access: 'user',
  async show({ call, query, path, sent, user }) {
    const heading = 'Ждут проверки';
    const cursor = query.get('cursor');
    const { posts, next, last_hour: lastHour } = await call(listPending, { query: cursor === null ? {} : { cursor } });
    if (query.has('code')) {
      const { since = '', until = '', reason = '' } = sent?.fields ?? {};
      return { heading, body: <CodeForm act="confirm" submit="Подтвердить" carried={{ since, until, reason }} /> };
    }
    const body = (
      <>
        <DeskLinks path={path} />
        {user!.role === 'owner' && (
          <p>
            <a href={addresses.keep.href({}, { gate: '' })}>Кто ждёт и как долго</a>
          </p>
        )}
        {posts.length === 0 && <p>Никто не ждёт</p>}
        {posts.map(({ id, text, owner, replied_post: replied }) => (
          <article key={id}>
            <p className="quiet">
              <a href={addresses.moderationPerson.href(owner)}>
                <PersonNames {...owner} />
              </a>
              {replied && (
                <>
                  {' '}
                  · <a href={addresses.post.href(replied)}>в ответ на запись</a>
                </>
              )}
            </p>
            <p className="text">{text}</p>
            <Form act="approve" id={id} submit="Пропустить" />
            <Form act="remove" id={id} submit="Убрать" isQuiet>
              <Choices name="reason" legend="Причину увидит автор" choices={reasons} />
            </Form>
          </article>
        ))}
        <NextLink context={{ path, query }} next={next} />
        {lastHour.people > 1 && (
          <>
            <h2>За последний час</h2>
            <p>
              Людей: {lastHour.people}, их записей: {lastHour.posts}
            </p>
            <Form act="block" submit="Заблокировать всех и убрать" isQuiet>
              <Carried name="since" value={String(lastHour.since)} />
              <Carried name="until" value={String(lastHour.until)} />
              <Choices name="reason" legend="Причину увидит каждый" choices={reasons} />
            </Form>
          </>
        )}
      </>
    );
    return { heading, body };
  },
  acts: {
    approve: act('Пропущено', ({ call }, { id = '' }) => call(approvePost, { params: { id } })),
    remove: decide(removePost, 'Убрано'),
    block: blockAll,
    async confirm(context, fields) {
      await context.call(verifyModeration, codeOf(context, fields));
      return blockAll(context, fields);
    },
  },
});
