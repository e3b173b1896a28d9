import { addresses } from '#contract/addresses.ts';
import { claimAccount, getClaim } from '#contract/claims.ts';
import { shownName } from '#contract/username.ts';
import { plural } from '../lib/plural.ts';
import { EmailField, Form } from './form.tsx';
import { done, here, plainPage } from './plain-page.ts';
import { Consent, startWith } from './sign-in.tsx';

/** A person who was imported with their posts comes for them with a link. */
export const claim = plainPage<{ code: string }>({
  address: addresses.claim,
  access: 'public',
  async show({ call, params, user, settings }) {
    const { user: owner, is_claimed: isClaimed, ...counts } = await call(getClaim, { params });
    const page = <a href={addresses.user.href(owner)}>{addresses.user.href(owner)}</a>;
    if (isClaimed) {
      const isOwn = user?.id === owner.id;
      const body = isOwn ? <p>Это ваша страница: {page}</p> : <p>По этой ссылке уже кто-то пришёл: {page}</p>;
      return { heading: isOwn ? 'Теперь это ваше' : 'Ссылка использована', body };
    }
    const written = `${plural(counts.posts_count, ['запись', 'записи', 'записей'])} и ${plural(counts.replies_count, ['ответ', 'ответа', 'ответов'])}`;
    const body = (
      <>
        <p>
          Сюда перенесли {written} человека по имени <b dir="auto">{shownName(owner)}</b>: {page}. Если это вы, заберите
          их вместе с учётной записью.
        </p>
        {user === null ? (
          <Form act="start" submit="Получить код">
            <EmailField label="Электронная почта" />
            {settings.consent !== undefined && <Consent hash={settings.consent} />}
          </Form>
        ) : (
          <Form act="claim" submit="Это я, забрать">
            <p>
              Вы вошли как <bdi>{user.username}</bdi>. Эта учётная запись закончится, её отметки «Нравится» исчезнут.
              Почта, сохранённое и настройки перейдут к новой.
            </p>
          </Form>
        )}
      </>
    );
    return { heading: 'Это вы?', body };
  },
  acts: {
    start: (context, fields) =>
      startWith(context, { ...fields, invite: context.params.code }, { isNew: true, next: here(context) }),
    async claim(context) {
      await context.call(claimAccount, { params: context.params });
      return done(context, 'Готово');
    },
  },
});
