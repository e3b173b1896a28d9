import { useCallback, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { allowInviting, blockBranch, type Branch as BranchOf, endInviting, getBranch } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { FailedNotice } from '../../../ui/failed-notice.tsx';
import { PersonNames } from '../../../ui/person-names.tsx';
import { useLoaded } from '../../session/use-loaded.ts';
import { roleNames } from '../role-names.ts';
import { alreadyDone, type DeskAct } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import styles from './branch.module.css';
import { offerUndo } from './offer-undo.tsx';
import { allowInvitingOf, blockBranchOf, endInvitingOf } from './person-acts.ts';

interface BranchProps {
  username: string;
  isKeeper: boolean;
  /** People have been blocked. */
  onBlocked: () => Promise<void>;
}

/** By whose invitation a person came, whom the person has brought, and acts on all of them. */
export function Branch({ username, isKeeper, onBlocked }: BranchProps) {
  const [act, setAct] = useState<DeskAct | null>(null);
  const { loaded, load, retry } = useLoaded(
    useCallback((signal: AbortSignal) => call(getBranch, { params: { username }, signal }), [username]),
  );
  if (loaded.is === 'loading') {
    return (
      <p className={styles.quiet} aria-busy="true">
        Загрузка…
      </p>
    );
  }
  if (loaded.is === 'failed') return <FailedNotice message={loaded.message} onRetry={retry} />;
  const { inviter, may_invite: mayInvite, people, more } = loaded.value;
  const params = { username };

  const changeRight = (to: typeof endInviting, done: string) => async (reason: string) => {
    const { act_id: id } = await call(to, { params, body: { reason } });
    await load();
    if (id === null) showToast(alreadyDone);
    else offerUndo(`${username}: ${done}`, id, () => void load());
  };
  const block = async (reason: string, withPosts: boolean) => {
    const body = { reason, remove_posts: withPosts };
    const { blocked, remaining } = await call(blockBranch, { params, body });
    await Promise.all([load(), onBlocked()]);
    showToast(`Заблокировано: ${blocked}${remaining === 0 ? '' : `. Осталось: ${remaining}, повторите`}`);
  };
  return (
    <section className={styles.branch} aria-label="Приглашения">
      {inviter && (
        <p>
          Пришёл по приглашению: <PersonLink {...inviter} />
        </p>
      )}
      <p>
        Пригласил: {more ? `больше ${people.length}` : people.length} чел.
        {mayInvite === 'branch' && ' Ветка, в которой он состоит, не приглашает.'}
        {mayInvite === 'no' && ' Больше не приглашает, и те, кого он привёл, тоже.'}
      </p>
      {people.length > 0 && (
        <ul className={styles.list} aria-label="Кого пригласил">
          {people.map((person) => (
            <li key={person.id}>
              <PersonLink {...person} /> <span className={styles.quiet}>{factsOf(person)}</span>
            </li>
          ))}
        </ul>
      )}
      {!isKeeper && (
        <div className={styles.actions}>
          {mayInvite === 'no' ? (
            <Button
              aria-haspopup="dialog"
              onClick={() => setAct(allowInvitingOf(username, changeRight(allowInviting, 'снова приглашает')))}
            >
              Вернуть право приглашать
            </Button>
          ) : (
            <Button
              aria-haspopup="dialog"
              onClick={() => setAct(endInvitingOf(username, changeRight(endInviting, 'больше не приглашает')))}
            >
              Лишить права приглашать
            </Button>
          )}
          {people.length > 0 && (
            <Button variant="danger" aria-haspopup="dialog" onClick={() => setAct(blockBranchOf(username, block))}>
              Заблокировать всю ветку
            </Button>
          )}
        </div>
      )}
      <ActDialog act={act} onClose={() => setAct(null)} />
    </section>
  );
}

function PersonLink({ username, display_name: name }: { username: string | null; display_name: string | null }) {
  if (username === null) return <span className={styles.quiet}>учётная запись удалена</span>;
  return (
    <a href={addresses.moderationPerson.href({ username })} className={styles.link}>
      <PersonNames username={username} display_name={name} />
    </a>
  );
}

const factsOf = ({ level, by, role, is_blocked: isBlocked }: BranchOf['people'][number]): string =>
  [level > 1 && `от ${by ?? 'удалённого'}`, role && roleNames[role], isBlocked && 'заблокирован']
    .filter(Boolean)
    .join(' · ');
