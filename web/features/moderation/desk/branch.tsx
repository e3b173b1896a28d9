import { useCallback, useState } from 'react';
import { allowInviting, blockBranch, type Branch as BranchOf, endInviting, getBranch } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { FailedNotice } from '../../../ui/notice.tsx';
import { useLoaded } from '../../session/use-loaded.ts';
import { PersonLink } from '../person-link.tsx';
import { roleNames } from '../role-names.ts';
import type { DeskAct } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import styles from './branch.module.css';
import desk from './desk.module.css';
import { blockedText, broughtText, personAct } from './person-acts.ts';
import { showAct } from './show-act.tsx';

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
      <p className={desk.quiet} aria-busy="true">
        Загрузка…
      </p>
    );
  }
  if (loaded.is === 'failed') return <FailedNotice message={loaded.message} onRetry={retry} />;
  const { inviter, may_invite: mayInvite, people } = loaded.value;
  const params = { username };

  const changeRight = (name: 'endInviting' | 'allowInviting', to: typeof endInviting, done: string) =>
    personAct(name, username, async (reason) => {
      const { act_id: id } = await call(to, { params, body: { reason } });
      await load();
      showAct(id, `${username}: ${done}`, () => void load());
    });
  const right =
    mayInvite === 'no'
      ? changeRight('allowInviting', allowInviting, 'снова приглашает')
      : changeRight('endInviting', endInviting, 'больше не приглашает');
  const block = personAct('blockBranch', username, async (reason, withPosts) => {
    const done = await call(blockBranch, { params, body: { reason, remove_posts: withPosts } });
    await Promise.all([load(), onBlocked()]);
    showToast(blockedText(done));
  });
  return (
    <section className={styles.branch} aria-label="Приглашения">
      {inviter && (
        <p>
          Пришёл по приглашению: <PersonLink {...inviter} {...linkStyles} />
        </p>
      )}
      <p>{broughtText(loaded.value)}</p>
      {people.length > 0 && (
        <ul className={`${desk.list} ${styles.list}`} aria-label="Кого пригласил">
          {people.map((person) => (
            <li key={person.id}>
              <PersonLink {...person} {...linkStyles} /> <span className={desk.quiet}>{factsOf(person)}</span>
            </li>
          ))}
        </ul>
      )}
      {!isKeeper && (
        <div className={desk.buttons}>
          <Button aria-haspopup="dialog" onClick={() => setAct(right)}>
            {right.title}
          </Button>
          {people.length > 0 && (
            <Button variant="danger" aria-haspopup="dialog" onClick={() => setAct(block)}>
              {block.title}
            </Button>
          )}
        </div>
      )}
      <ActDialog act={act} onClose={() => setAct(null)} />
    </section>
  );
}

const linkStyles = { className: desk.link, goneClassName: desk.quiet };

const factsOf = ({ level, by, role, is_blocked: isBlocked }: BranchOf['people'][number]): string =>
  [level > 1 && `от ${by ?? 'удалённого'}`, role && roleNames[role], isBlocked && 'заблокирован']
    .filter(Boolean)
    .join(' · ');
