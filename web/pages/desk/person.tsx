import { addresses } from '#contract/addresses.ts';
import { type KeeperActName, keeperActs } from '#contract/keeper-acts.ts';
import type { Branch, ModeratedPerson } from '#contract/moderation-people.ts';
import { roleNames } from '../../features/moderation/role-names.ts';
import { CopyClaim, DeskFrame } from './desk-frame.tsx';
import { page, type PageContext } from '../../forms/page-module.ts';
import { useNow } from '../../lib/clock.tsx';
import { useMounted } from '../../lib/observable.ts';
import { exactTime, machineTime, relativeTime } from '../../lib/time.ts';
import button from '../../ui/button.module.css';
import { PersonNames } from '../../ui/person-names.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import styles from './person.module.css';

interface PersonLinkProps {
  /** Null: the account does not exist any more. */
  username: string | null;
  display_name: string | null;
  className?: string | undefined;
  /** The class of the words about a deleted account. */
  goneClassName: string | undefined;
}

/** A link to the page of the desk about a person. */
function PersonLink({ username, display_name: name, className, goneClassName }: PersonLinkProps) {
  if (username === null) return <span className={goneClassName}>учётная запись удалена</span>;
  return (
    <a href={addresses.moderationPerson.href({ username })} className={className}>
      <PersonNames username={username} display_name={name} />
    </a>
  );
}

/** The data that moderators see about a person, and the acts on the person. */
export const person = page({
  async load({ call, params }: PageContext<{ username: string }>) {
    const [found, branch] = await Promise.all([
      call('GET /moderation/people/{username}', { params }),
      call('GET /moderation/people/{username}/branch', { params }),
    ]);
    return { person: found, branch };
  },
  View({ user, person: shown, branch }) {
    const { username, role, blocked, warning, claim_url: claimUrl } = shown;
    const act = (name: KeeperActName | 'block-branch', variant = 'quiet', title = keeperActs[name]?.form?.title) => (
      <a
        className={button.button}
        data-variant={variant}
        data-layer
        href={addresses.keeperAct.href({ name }, { of: username })}
      >
        {title}
      </a>
    );
    return (
      <DeskFrame section="people">
        {blocked && <Blocked {...blocked} />}
        {warning !== null && (
          <p className={styles.warning} dir="auto">
            Предупреждение ещё не прочитано: {warning}
          </p>
        )}
        <Facts {...shown} />
        {claimUrl !== null && (
          <div className={styles.claim}>
            <p className={styles.quiet}>
              Ещё не заходил(а). Ссылка отдаёт учётную запись со всеми записями тому, кто её откроет: пошлите её самому
              человеку.
            </p>
            <code>{claimUrl}</code>
            <CopyClaim url={claimUrl} />
          </div>
        )}
        <div className={styles.links}>
          <a href={addresses.user.href(shown)}>Записи на стене</a>{' '}
          <a href={addresses.userReplies.href(shown)}>Ответы</a>
        </div>
        <div className={styles.actions}>
          {!blocked && warning === null && user.username !== username && act('warn')}{' '}
          {blocked ? act('unblock', 'primary') : act('block', 'danger')}{' '}
          {user.role === 'owner' && role !== 'owner' && act(role ? 'appoint-owner' : 'appoint')}{' '}
          {user.role === 'owner' && role && act('dismiss-moderator')}
        </div>
        <section className={styles.branch} aria-label="Приглашения">
          <Brought {...branch} />
          {role === null && (
            <div className={styles.buttons}>
              {branch.may_invite === 'no' ? act('allow-inviting') : act('end-inviting')}{' '}
              {branch.people.length > 0 && act('block-branch', 'danger', 'Заблокировать всю ветку')}
            </div>
          )}
        </section>
      </DeskFrame>
    );
  },
});

function Blocked({ reason, at, until }: NonNullable<ModeratedPerson['blocked']>) {
  const now = useNow();
  const mounted = useMounted();
  return (
    <div className={styles.blocked}>
      <p className={styles.state}>Учётная запись заблокирована</p>
      <p dir="auto">Причина: {reason}</p>
      <p className={styles.quiet}>
        <LocalTime at={at} />
        {until !== null && (
          <>
            {' · '}
            <time dateTime={machineTime(until)}>
              {mounted ? `до ${exactTime(until)}` : `ещё ${relativeTime(now, until)}`}
            </time>
          </>
        )}
      </p>
    </div>
  );
}

const Facts = ({ created_at: since, role, ...numbers }: ModeratedPerson) => (
  <dl className={styles.facts}>
    <dt>На стене с</dt>
    <dd>
      <LocalTime at={since} />
    </dd>
    <dt>Записей</dt>
    <dd>{numbers.posts_count}</dd>
    <dt>Ответов</dt>
    <dd>{numbers.replies_count}</dd>
    <dt>Убрано модераторами</dt>
    <dd>{numbers.removed_posts}</dd>
    <dt>Открытых жалоб</dt>
    <dd>{numbers.open_reports}</dd>
    {role && (
      <>
        <dt>Роль</dt>
        <dd>{roleNames[role]}</dd>
      </>
    )}
  </dl>
);

const mayInviteTexts = {
  yes: '',
  no: 'Больше не приглашает, и те, кого он привёл, тоже.',
  branch: 'Ветка, в которой он состоит, не приглашает.',
};

/** The person who invited this one, and the people of the branch: those whom this one or others of the branch have invited. */
const Brought = ({ inviter, people, more, may_invite: mayInvite }: Branch) => (
  <>
    {inviter && (
      <p>
        Пришёл по приглашению: <PersonLink {...inviter} {...linkStyles} />
      </p>
    )}
    {(people.length > 0 || mayInvite !== 'yes') && (
      <p>
        {people.length > 0 && `Пригласил: ${more ? 'больше ' : ''}${people.length} чел. `}
        {mayInviteTexts[mayInvite]}
      </p>
    )}
    {people.length > 0 && (
      <ul className={styles.list} aria-label="Кого пригласил">
        {people.map((each) => (
          <li key={each.id}>
            <PersonLink {...each} {...linkStyles} /> <span className={styles.quiet}>{factsOf(each)}</span>
          </li>
        ))}
      </ul>
    )}
  </>
);

const linkStyles = { className: styles.link, goneClassName: styles.quiet };

const factsOf = ({ level, by, role, is_blocked: isBlocked }: Branch['people'][number]): string =>
  [level > 1 && `от ${by ?? 'удалённого'}`, role && roleNames[role], isBlocked && 'заблокирован']
    .filter(Boolean)
    .join(' · ');
