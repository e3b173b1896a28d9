import { addresses } from '#contract/addresses.ts';
import { isNameless } from '#contract/username.ts';
import { EntranceForm } from '../../features/sign-in/sign-in-fields.tsx';
import { codeWithoutMail } from '../../features/sign-in/who-may-come.ts';
import { startByLink } from '../../features/sign-in/start-sign-in.ts';
import { FormPage } from '../../forms/fields.tsx';
import styles from '../../forms/form.module.css';
import { Form } from '../../forms/form.tsx';
import { type OpenContext, pageForAnyone } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import { ShownName } from '../../ui/person-names.tsx';

type Context = OpenContext<{ code: string }>;

/** The page of an invitation link. It says what the wall is and who invites, and begins the registration. */
export const join = pageForAnyone({
  load: ({ call, params }: Context) => call('GET /invitations/{code}', { params }),
  View({ inviter, user }) {
    const { appName, line, intro, isClosed, hasNoMail } = useClientSettings();
    return (
      <FormPage title={`Вас зовут на стену «${appName}»`} tip={line}>
        {intro !== line && <p>{intro ?? 'Лента коротких записей: читайте, отвечайте, пишите свои.'}</p>}
        {inviter && !isNameless(inviter) && (
          <p>
            Приглашает <ShownName {...inviter} />
          </p>
        )}
        {user === null ? (
          <>
            <p>{hasNoMail ? codeWithoutMail : 'Нужна только почта: пришлём на неё код.'} Пароля нет.</p>
            <EntranceForm />
          </>
        ) : (
          <p>
            Вы уже здесь. <a href={addresses.feed.href()}>На стену</a>
          </p>
        )}
        <p>
          <a href={addresses.wallText.href({ name: 'rules' })}>Правила</a> ·{' '}
          <a href={addresses.wallText.href({ name: 'privacy' })}>Конфиденциальность</a>
          {!isClosed && (
            <>
              {' '}
              · <a href={addresses.feed.href()}>Сначала посмотреть</a>
            </>
          )}
        </p>
      </FormPage>
    );
  },
  acts: { start: startByLink(() => addresses.feed.href()) },
});

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
      <ul className={styles.points}>
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
