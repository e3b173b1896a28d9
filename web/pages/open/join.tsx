import { addresses } from '#contract/addresses.ts';
import type { Calls } from '#contract/calls.ts';
import { isNameless, shownName } from '#contract/username.ts';
import { EntranceForm } from '../../features/sign-in/sign-in-fields.tsx';
import { codeWithoutMail } from '../../features/sign-in/who-may-come.ts';
import { startByLink } from '../../features/sign-in/start-sign-in.ts';
import { FormPage } from '../../forms/fields.tsx';
import form from '../../forms/form.module.css';
import { Form } from '../../forms/form.tsx';
import { type OpenContext, pageForAnyone } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import { Face } from '../../ui/face.tsx';
import { SignLine, Writers } from '../sign.tsx';
import styles from './join.module.css';

type Context = OpenContext<{ code: string }>;

/**
 * The page of an invitation link. It says whose wall this is, who invites and who writes here, and begins the registration. It has no
 * header and no bar for visitors, because nothing on the wall is open to them yet.
 */
export const join = pageForAnyone({
  async load({ call, params, settings: { appName } }: Context): Promise<Found> {
    const found = await call('GET /invitations/{code}', { params }).catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
    if (!found) return { isGone: true };
    const { inviter } = found;
    const calls = inviter && !isNameless(inviter) ? `${shownName(inviter)} зовёт вас` : 'Вас зовут';
    return { ...found, previewTitle: `${calls}: ${appName}` };
  },
  View({ user, ...found }) {
    const { isClosed, hasNoMail } = useClientSettings();
    if ('isGone' in found) return <Ended />;
    const { inviter, writers, ask } = found;
    const codeFrom = ask === undefined ? codeWithoutMail : `Код покажет ${ask}.`;
    return (
      <FormPage isBare>
        <div className={styles.sign}>
          <SignLine />
        </div>
        {inviter && !isNameless(inviter) && (
          <p className={styles.people}>
            <Face of={inviter} />
            <span>
              Вас зовёт <b dir="auto">{shownName(inviter)}</b>
            </span>
          </p>
        )}
        {writers.length > 0 && (
          <div className={`${form.note} ${styles.people}`}>
            <Writers owners={writers} isInvitation />
          </div>
        )}
        {user === null ? (
          <div className={styles.entrance}>
            <EntranceForm takesFocus />
            <p className={form.note}>
              {hasNoMail ? `${codeFrom} Пароль не нужен.` : 'Пароль не нужен: на почту придёт код.'}
            </p>
          </div>
        ) : (
          <p>
            Вы уже здесь. <a href={addresses.feed.href()}>На стену</a>
          </p>
        )}
        <p className={styles.links}>
          <a href={addresses.wallText.href({ name: 'rules' })}>Правила стены</a>{' '}
          <a href={addresses.wallText.href({ name: 'privacy' })}>Конфиденциальность</a>{' '}
          {!isClosed && <a href={addresses.feed.href()}>Сначала посмотреть</a>}
        </p>
      </FormPage>
    );
  },
  acts: { start: startByLink(() => addresses.feed.href()) },
});

type Found =
  | { isGone: true }
  /** `previewTitle`: the title in the preview of the link in a chat. */
  | (Calls['GET /invitations/{code}']['reply'] & { previewTitle: string });

/** The link was used by as many people as it is for, has ended, or never was one. */
const Ended = () => (
  <FormPage isBare>
    <div className={styles.sign}>
      <SignLine />
    </div>
    <p>
      <b>Это приглашение не действует.</b> Им уже воспользовались, или его отозвали. Попросите новое у того, кто вас
      звал.
    </p>
    <p className={styles.links}>
      <a href={addresses.feed.href()}>На стену</a> <a href={addresses.signIn.href()}>У меня есть учётная запись</a>
    </p>
  </FormPage>
);

const firstStep = () => addresses.keep.href({}, { step: 'about' });

const SignInFirst = () => {
  const { hasNoMail } = useClientSettings();
  return <p>Войдите, и стена ваша{hasNoMail ? `. ${codeWithoutMail}` : ': пришлём код на вашу почту.'} Пароля нет.</p>;
};

/** The page of the link that a new wall prints for its first owner. The person who signs in here becomes the owner. */
export const ownerLink = pageForAnyone({
  async load({ call, params }: Context) {
    await call('GET /owner-links/{code}', { params });
    return {};
  },
  View: ({ user }) => (
    <FormPage isInvitation title="У этой стены ещё нет владельца">
      <p>Им станете вы. Владелец:</p>
      <ul className={form.points}>
        <li>задаёт имя стены, её правила и кто может регистрироваться;</li>
        <li>зовёт людей и назначает модераторов;</li>
        <li>разбирает жалобы, как модератор.</li>
      </ul>
      {user === null ? (
        <>
          <SignInFirst />
          <EntranceForm />
        </>
      ) : (
        <>
          <p>
            Вы вошли как <bdi>{user.email}</bdi>.
          </p>
          <Form act="become" submit="Стать владельцем" />
        </>
      )}
    </FormPage>
  ),
  acts: {
    start: startByLink(firstStep),
    async become({ call, params }: Context) {
      await call('POST /owner-links/{code}', { params });
      return { to: firstStep(), user: { role: 'owner' as const } };
    },
  },
});
