import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import { becomeOwner, checkOwnerLink, getInvitation } from '#contract/join.ts';
import { PersonNames } from '../ui/person-names.tsx';
import { EmailField, Form } from './form.tsx';
import { here, type PlainContext, plainPage } from './plain-page.ts';
import { Consent, startWith } from './sign-in.tsx';

interface Params {
  code: string;
}

/** Asks for the address: a new one gets an account, somebody with an account signs in. */
const Entrance = ({ consent, children }: { consent: string | undefined; children: ReactNode }) => (
  <Form act="start" submit="Получить код">
    <p>{children}</p>
    <EmailField label="Электронная почта" />
    {consent !== undefined && <Consent hash={consent} />}
  </Form>
);

/** Mails the code. The code of the link goes along, and is what a closed registration asks for. */
const start = (next: (context: PlainContext) => string) => (context: PlainContext<Params>, fields: object) =>
  startWith(context, { ...fields, invite: context.params.code }, { isNew: true, next: next(context) });

/** The link of an invitation: what the wall is, who invites, and the beginning of the registration. */
export const join = plainPage<Params>({
  address: addresses.join,
  access: 'public',
  async show({ call, params, user, settings: { appName, intro, consent } }) {
    const { inviter } = await call(getInvitation, { params });
    const body = (
      <>
        <p>{intro ?? 'Это лента коротких записей: читайте, отвечайте, пишите свои.'}</p>
        {inviter && (
          <p>
            Приглашает <PersonNames {...inviter} />
          </p>
        )}
        {user === null ? (
          <Entrance consent={consent}>Нужна только почта: пришлём на неё код. Пароля нет.</Entrance>
        ) : (
          <p>
            Вы уже здесь. <a href={addresses.feed.href()}>На стену</a>
          </p>
        )}
        <p>
          <a href={addresses.wallText.href({ name: 'rules' })}>Правила</a> ·{' '}
          <a href={addresses.wallText.href({ name: 'privacy' })}>Конфиденциальность</a> ·{' '}
          <a href={addresses.feed.href()}>Сначала посмотреть</a>
        </p>
      </>
    );
    return { heading: `Вас зовут на стену «${appName}»`, body };
  },
  acts: { start: start(() => addresses.feed.href()) },
});

/** The link that a new wall prints for its first owner. */
export const ownerLink = plainPage<Params>({
  address: addresses.ownerLink,
  access: 'public',
  async show({ call, params, user, settings: { consent } }) {
    await call(checkOwnerLink, { params });
    const body = (
      <>
        <p>Им станете вы. Владелец:</p>
        <ul>
          <li>задаёт имя стены, её правила и кто может регистрироваться;</li>
          <li>зовёт людей и назначает модераторов;</li>
          <li>разбирает жалобы, как модератор.</li>
        </ul>
        {user === null ? (
          <Entrance consent={consent}>Сначала войдите: пришлём код на вашу почту. Пароля нет.</Entrance>
        ) : (
          <Form act="become" submit="Стать владельцем">
            <p>
              Вы вошли как <bdi>{user.username}</bdi>.
            </p>
          </Form>
        )}
      </>
    );
    return { heading: 'У этой стены ещё нет владельца', body };
  },
  acts: {
    start: start(here),
    async become({ call, params }) {
      await call(becomeOwner, { params });
      return { to: addresses.keep.href() };
    },
  },
});
