import { addresses } from '#contract/addresses.ts';
import { shownName } from '#contract/username.ts';
import { EntranceForm } from '../../features/sign-in/sign-in-fields.tsx';
import { startByLink } from '../../features/sign-in/start-sign-in.ts';
import { FormPage } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { type OpenContext, pageForAnyone } from '../../forms/page-module.ts';
import { plural, replyForms } from '../../lib/counts.ts';

type Context = OpenContext<{ code: string }>;

/** The page of a link with which a person takes over the account that was imported with their posts. */
export const claim = pageForAnyone({
  load: async ({ call, params }: Context) => ({ claim: await call('GET /claims/{code}', { params }) }),
  View({ claim: { user: owner, is_claimed: isClaimed, ...counts }, user }) {
    const page = <a href={addresses.user.href(owner)}>{addresses.user.href(owner)}</a>;
    if (isClaimed) {
      const isOwn = user?.id === owner.id;
      return (
        <FormPage isInvitation title={isOwn ? 'Теперь это ваше' : 'Ссылка использована'}>
          <p>
            {isOwn ? 'Это ваша страница: ' : 'По этой ссылке уже кто-то пришёл: '}
            {page}
          </p>
        </FormPage>
      );
    }
    const written = `${plural(counts.posts_count, ['запись', 'записи', 'записей'])} и ${plural(counts.replies_count, replyForms)}`;
    return (
      <FormPage isInvitation title="Это вы?">
        <p>
          Сюда перенесли {written} человека по имени <b dir="auto">{shownName(owner)}</b>: {page}. Если это вы, заберите
          их вместе с учётной записью.
        </p>
        {user === null ? (
          <EntranceForm />
        ) : (
          <>
            <p>
              Вы вошли как <bdi>{user.username}</bdi>. Эта учётная запись закончится, её отметки «Нравится» исчезнут.
              Почта, сохранённое и настройки перейдут к новой.
            </p>
            <Form act="claim" submit="Это я, забрать" />
          </>
        )}
      </FormPage>
    );
  },
  acts: {
    start: startByLink(addresses.claim.href),
    async claim({ call, params }: Context) {
      await call('POST /claims/{code}', { params });
      return { to: addresses.claim.href(params), isOtherPerson: true };
    },
  },
});
