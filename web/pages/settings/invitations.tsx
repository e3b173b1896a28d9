import type { Invitations } from '#contract/invitations.ts';
import { nameActs, NameQuestion } from '../../features/account/name-question.tsx';
import { Form } from '../../forms/form.tsx';
import { act, page } from '../../forms/page-module.ts';
import { copyText } from '../../lib/copy-text.ts';
import { useMounted } from '../../lib/observable.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../ui/button.tsx';
import list from '../../ui/list-page.module.css';
import { LocalTime } from '../../ui/local-time.tsx';
import styles from './invitations.module.css';

/** The links by which a person invites others. */
export const invitations = page({
  load: ({ call }) => call('GET /users/current/invitations', {}),
  View: ({ user, invitations: made, left, refused }) =>
    user.name_question && refused === null ? (
      <NameQuestion user={user} why={whyName} />
    ) : (
      <>
        <div className={styles.part}>
          <p>{refused ?? remainingText(left)}</p>
          {refused === null && <Form act="make" submit="Сделать ссылку" />}
        </div>
        <section aria-labelledby="invitations">
          <h2 id="invitations" className={list.heading}>
            Ваши ссылки
          </h2>
          {made.length === 0 ? (
            <p className={list.none}>Ссылок пока нет</p>
          ) : (
            <ul className={list.list}>
              {made.map((invitation) => (
                <Invitation key={invitation.id} {...invitation} />
              ))}
            </ul>
          )}
        </section>
      </>
    ),
  acts: {
    ...nameActs,
    // A repeated request returns the same link.
    make: act('Ссылка готова: пришлите её тому, кого зовёте', ({ call, keyFor }) =>
      call('POST /users/current/invitations', { headers: { 'idempotency-key': keyFor('invitation') } }),
    ),
    end: act('Приглашение отозвано', ({ call }, { id = '' }) =>
      call('DELETE /users/current/invitations/{id}', { params: { id } }),
    ),
  },
});

/** Why a person without a name is asked for it before inviting others. */
const whyName = 'Тот, кого вы зовёте, увидит, кто его позвал.';

const remainingText = (left: number | null): string =>
  `По ссылке придёт один человек, и он узнает, что его позвали вы.${left === null ? '' : ` Сейчас можно сделать ссылок: ${left}.`}`;

function Invitation({ id, url, is_open: isOpen, used_by: by, created_at: at }: Invitations['invitations'][number]) {
  const mounted = useMounted();
  const copy = async () => {
    showToast((await copyText(url)) ? 'Ссылка скопирована' : 'Не удалось скопировать. Выделите ссылку сами.');
  };
  return (
    <li className={styles.part}>
      <span id={`link-${id}`} className={styles.link}>
        {url}
      </span>
      <span className={styles.quiet}>
        {isOpen ? (
          <>
            не использована, сделана <LocalTime at={at} />
          </>
        ) : by === null ? (
          'по ней пришли'
        ) : (
          `по ней пришёл(а) ${by}`
        )}
      </span>
      {isOpen && (
        <div className={styles.buttons}>
          {mounted && (
            <Button aria-describedby={`link-${id}`} onClick={() => void copy()}>
              Скопировать
            </Button>
          )}
          <Form act="end" id={id} submit="Отозвать" variant="plain" describedBy={`link-${id}`} isInline />
        </div>
      )}
    </li>
  );
}
