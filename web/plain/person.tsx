import type { ComponentProps } from 'react';
import { addresses } from '#contract/addresses.ts';
import {
  allowInviting,
  blockBranch,
  blockPerson,
  endInviting,
  getBranch,
  getPerson,
  unblockPerson,
  warnPerson,
} from '#contract/moderation.ts';
import {
  blockedText,
  blockOf,
  broughtText,
  daysOf,
  personAct,
  warningOf,
} from '../features/moderation/desk/person-acts.ts';
import { PersonLink } from '../features/moderation/person-link.tsx';
import { roleNames } from '../features/moderation/role-names.ts';
import { relativeTime } from '../lib/time.ts';
import { ActForm, actsWithCode, CodeStep } from './desk-parts.tsx';
import { plainPage } from './plain-page.ts';

interface Params {
  username: string;
}

const notHere = async () => {};

const TitledForm = (props: ComponentProps<typeof ActForm>) => (
  <section>
    <h2>{props.act.title}</h2>
    <ActForm {...props} />
  </section>
);

/** What moderators know of a person, and what they can do. */
export const person = plainPage<Params>({
  address: addresses.moderationPerson,
  access: 'user',
  async show({ params, call, query, sent, user, now }) {
    const [shown, branch] = await Promise.all([call(getPerson, { params }), call(getBranch, { params })]);
    const { username, blocked, warning, role } = shown;
    const heading = username;
    if (query.has('code')) return { heading, body: <CodeStep fields={sent?.fields} /> };
    const { inviter, may_invite: mayInvite, people } = branch;
    const body = (
      <>
        {blocked && (
          <p>
            Заблокирован{blocked.until !== null && `, ещё ${relativeTime(now, blocked.until)}`}. Причина:{' '}
            {blocked.reason}
          </p>
        )}
        {warning !== null && <p>Предупреждение ещё не прочитано: {warning}</p>}
        <p className="quiet">
          {role && `${roleNames[role]} · `}на стене {relativeTime(shown.created_at, now)} · записей: {shown.posts_count}{' '}
          · ответов: {shown.replies_count} · убрано: {shown.removed_posts} · открытых жалоб: {shown.open_reports}
        </p>
        <p>
          <a href={addresses.moderationSection.href({ section: 'people' })}>Люди</a> ·{' '}
          <a href={addresses.user.href(shown)}>Записи на стене</a>
        </p>
        {!blocked && warning === null && user!.username !== username && (
          <TitledForm name="warn" act={warningOf(username, notHere)} />
        )}
        {blocked ? (
          <TitledForm name="unblock" act={personAct('unblock', username, notHere)} />
        ) : (
          <TitledForm name="block" act={blockOf(username, notHere)} />
        )}
        <h2>Приглашения</h2>
        {inviter && (
          <p>
            Пришёл по приглашению: <PersonLink {...inviter} goneClassName="quiet" />
          </p>
        )}
        <p>{broughtText(branch)}</p>
        <ul>
          {people.map(({ id, level, by, is_blocked: isBlocked, ...names }) => (
            <li key={id}>
              <PersonLink {...names} goneClassName="quiet" />
              {level > 1 && `, от ${by ?? 'удалённого'}`}
              {isBlocked && ', заблокирован'}
            </li>
          ))}
        </ul>
        {role === null && mayInvite === 'no' && (
          <TitledForm name="allow-inviting" act={personAct('allowInviting', username, notHere)} />
        )}
        {role === null && mayInvite !== 'no' && (
          <TitledForm name="end-inviting" act={personAct('endInviting', username, notHere)} />
        )}
        {role === null && people.length > 0 && (
          <TitledForm name="block-branch" act={personAct('blockBranch', username, notHere)} />
        )}
      </>
    );
    return { heading, body };
  },
  acts: actsWithCode({
    async warn({ params, call }, { reason }) {
      await call(warnPerson, { params, body: { reason } });
      return 'Предупреждение ждёт человека';
    },
    async block({ params, call }, { reason, term, option }) {
      await call(blockPerson, { params, body: { reason, remove_posts: option !== '', ...daysOf(term) } });
      return 'Заблокирован';
    },
    async unblock({ params, call }, { reason, option }) {
      await call(unblockPerson, { params, body: { reason, restore_posts: option !== '' } });
      return 'Блокировка снята';
    },
    async 'end-inviting'({ params, call }, { reason }) {
      await call(endInviting, { params, body: { reason } });
      return 'Больше не приглашает';
    },
    async 'allow-inviting'({ params, call }, { reason }) {
      await call(allowInviting, { params, body: { reason } });
      return 'Снова приглашает';
    },
    async 'block-branch'({ params, call }, { reason, option }) {
      return blockedText(await call(blockBranch, { params, body: { reason, remove_posts: option !== '' } }));
    },
  }),
});
