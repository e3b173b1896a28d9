import { useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import { appointPerson, dismissPerson, getPerson, type ModeratedPerson, unblockPerson } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { type ObservableState, useObservable } from '../../../lib/observable.ts';
import { exactTime, machineTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { useSessionState } from '../../session/session.ts';
import { roleNames } from '../role-names.ts';
import type { DeskAct } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import { Branch } from './branch.tsx';
import { CopyClaim } from './copy-claim.tsx';
import desk from './desk.module.css';
import { appointmentOf, blockOf, personAct, warningOf } from './person-acts.ts';
import styles from './person-details.module.css';
import { showAct } from './show-act.tsx';

/** Shows what moderators know of a person, and what they can do. */
export function PersonDetails({ person }: { person: ObservableState<ModeratedPerson> }) {
  const {
    username,
    created_at: since,
    role,
    blocked,
    warning,
    claim_url: claimUrl,
    ...numbers
  } = useObservable(person);
  const [act, setAct] = useState<DeskAct | null>(null);
  const session = useSessionState();
  const isOwner = session.is === 'authorized' && session.user.role === 'owner';
  const isSelf = session.is === 'authorized' && session.user.username === username;
  const params = { username };

  const refresh = async () => {
    const found = await call(getPerson, { params }).catch(() => null);
    if (found) person.set(found);
  };

  const done = async (actId: string | null, text: string) => {
    await refresh();
    showAct(actId, text, () => void refresh());
  };

  const block = blockOf(username, (id) => done(id, `${username}: блокировка`));

  const warn = warningOf(username, (id) => done(id, `${username}: предупреждение`));

  const unblock = personAct('unblock', username, async (reason, withPosts) => {
    const { act_id: id } = await call(unblockPerson, { params, body: { reason, restore_posts: withPosts } });
    await done(id, `${username}: блокировка снята`);
  });

  const appointment = appointmentOf(username, role, async (reason, isChosen) => {
    const body = { reason, owner: isChosen || role === 'moderator' };
    const { act_id: id } = await call(appointPerson, { params, body });
    await refresh();
    showAct(id, `${username}: назначение`);
  });

  const dismissal = personAct('dismiss', username, async (reason) => {
    const { act_id: id } = await call(dismissPerson, { params, body: { reason } });
    await refresh();
    showAct(id, `${username}: больше не ${roleNames[role ?? 'moderator']}`);
  });

  return (
    <>
      {blocked && (
        <div className={styles.blocked}>
          <p className={styles.state}>Учётная запись заблокирована</p>
          <p dir="auto">Причина: {blocked.reason}</p>
          <p className={desk.quiet}>
            <time dateTime={machineTime(blocked.at)}>{exactTime(blocked.at)}</time>
            {blocked.until !== null && (
              <>
                {' · до '}
                <time dateTime={machineTime(blocked.until)}>{exactTime(blocked.until)}</time>
              </>
            )}
          </p>
        </div>
      )}
      {warning !== null && (
        <p className={desk.quiet} dir="auto">
          Предупреждение ещё не прочитано: {warning}
        </p>
      )}
      <dl className={styles.facts}>
        <dt>На стене с</dt>
        <dd>
          <time dateTime={machineTime(since)}>{exactTime(since)}</time>
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
      {claimUrl !== null && (
        <div className={styles.claim}>
          <p className={desk.quiet}>
            Ещё не заходил(а). Ссылка отдаёт учётную запись со всеми записями тому, кто её откроет: пошлите её самому
            человеку.
          </p>
          <code>{claimUrl}</code>
          <CopyClaim url={claimUrl} />
        </div>
      )}
      <div className={styles.links}>
        <a href={addresses.user.href(params)}>Записи на стене</a>
        <a href={addresses.userReplies.href(params)}>Ответы</a>
      </div>
      <div className={styles.actions}>
        {!blocked && warning === null && !isSelf && (
          <Button aria-haspopup="dialog" onClick={() => setAct(warn)}>
            Предупредить
          </Button>
        )}
        {blocked ? (
          <Button variant="primary" aria-haspopup="dialog" onClick={() => setAct(unblock)}>
            Снять блокировку
          </Button>
        ) : (
          <Button variant="danger" aria-haspopup="dialog" onClick={() => setAct(block)}>
            Заблокировать
          </Button>
        )}
        {isOwner && role !== 'owner' && (
          <Button aria-haspopup="dialog" onClick={() => setAct(appointment)}>
            {role ? 'Сделать владельцем' : 'Назначить модератором'}
          </Button>
        )}
        {isOwner && role && (
          <Button aria-haspopup="dialog" onClick={() => setAct(dismissal)}>
            Снять с роли
          </Button>
        )}
      </div>
      <Branch key={username} username={username} isKeeper={role !== null} onBlocked={refresh} />
      <ActDialog act={act} onClose={() => setAct(null)} />
    </>
  );
}
