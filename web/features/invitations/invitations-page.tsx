import { useEffect, useRef } from 'react';
import { endInvitation, listInvitations, makeInvitation } from '#contract/invitations.ts';
import { call } from '../../lib/api.ts';
import { copyText } from '../../lib/copy-text.ts';
import { randomKey } from '../../lib/random-key.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { FailedNotice } from '../../ui/notice.tsx';
import { FormError } from '../../ui/form-error.tsx';
import page from '../../ui/list-page.module.css';
import { GroupsSkeleton } from '../../ui/groups-skeleton.tsx';
import { useLoaded } from '../session/use-loaded.ts';
import { useRequest } from '../session/use-request.ts';
import styles from './invitations-page.module.css';
import { inviteState, leftWords } from './invite-words.ts';

const read = (signal: AbortSignal) => call(listInvitations, { signal });

async function copy(url: string): Promise<void> {
  showToast((await copyText(url)) ? 'Ссылка скопирована' : 'Не удалось скопировать. Выделите ссылку сами.');
}

/** The links by which a person invites others. */
export function InvitationsPage() {
  const { loaded, retry, change } = useLoaded(read);
  const { busy, error, send } = useRequest();
  const key = useRef<string>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const latest = useRef<string>(null);
  const newest = loaded.is === 'here' ? loaded.value.invitations[0]?.id : undefined;

  useEffect(() => {
    if (latest.current === null || latest.current !== newest) return;
    document.getElementById(`copy-${newest}`)?.focus();
    latest.current = null;
  }, [newest]);

  if (loaded.is === 'loading') return <GroupsSkeleton />;
  if (loaded.is === 'failed') return <FailedNotice message={loaded.message} onRetry={retry} />;
  const { invitations, left, refused } = loaded.value;

  const make = () =>
    send(async () => {
      // A repeated request makes no further link.
      key.current ??= randomKey();
      const made = await call(makeInvitation, { headers: { 'idempotency-key': key.current } });
      key.current = null;
      latest.current = made.invitations[0]?.id ?? null;
      change(() => made);
    });

  const end = (id: string) =>
    send(async () => {
      const rest = await call(endInvitation, { params: { id } });
      change(() => rest);
      showToast('Приглашение отозвано');
      // The button with the focus is gone.
      heading.current?.focus();
    });
  return (
    <>
      <div className={styles.part}>
        <p>{refused ?? leftWords(left)}</p>
        <FormError>{error}</FormError>
        {refused === null && (
          <Button variant="primary" busy={busy} onClick={() => void make()}>
            Сделать ссылку
          </Button>
        )}
      </div>
      <section aria-labelledby="invitations">
        <h2 id="invitations" ref={heading} tabIndex={-1} className={page.heading}>
          Ваши ссылки
        </h2>
        {invitations.length === 0 ? (
          <p className={page.none}>Ссылок пока нет</p>
        ) : (
          <ul className={page.list}>
            {invitations.map(({ id, url, is_open: isOpen, used_by: by, created_at: at }) => (
              <li key={id} className={styles.part}>
                <span id={`link-${id}`} className={styles.link}>
                  {url}
                </span>
                <span className={styles.quiet}>{inviteState({ isOpen, by, at })}</span>
                {isOpen && (
                  <div className={styles.buttons}>
                    <Button id={`copy-${id}`} aria-describedby={`link-${id}`} onClick={() => void copy(url)}>
                      Скопировать
                    </Button>
                    <Button
                      variant="plain"
                      aria-describedby={`link-${id}`}
                      disabled={busy}
                      onClick={() => void end(id)}
                    >
                      Отозвать
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
