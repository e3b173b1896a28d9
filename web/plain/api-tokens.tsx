import { addresses } from '#contract/addresses.ts';
import { endApiToken, listApiTokens, startApiToken, verifyApiToken } from '#contract/api-tokens.ts';
import { limits } from '#contract/limits.ts';
import { scopeName, scopes } from '../features/api-tokens/scopes.ts';
import { lastActive } from '../features/devices/describe-session.ts';
import { CodeForm, codeOf, toCode } from './code-form.tsx';
import { Choices, Field, Form } from './form.tsx';
import { act, done, formProblem, plainPage } from './plain-page.ts';

export const apiTokens = plainPage({
  address: addresses.settingsApiTokens,
  access: 'user',
  async show({ call, query, sent, now }) {
    const { tokens } = await call(listApiTokens, {});
    const { name = '', scope = 'read', made } = sent?.fields ?? {};
    const heading = 'Токены для программ';
    if (query.has('code'))
      return { heading, body: <CodeForm act="verify" submit="Создать токен" carried={{ name, scope }} /> };
    const body = (
      <>
        {made !== undefined && (
          <p>
            Скопируйте его сейчас: больше он не покажется.
            <code>{made}</code>
          </p>
        )}
        <ul>
          {tokens.map(({ id, name: named, scope: allowed, lastUsedAt }) => (
            <li key={id}>
              <bdi>{named}</bdi>{' '}
              <span className="quiet">
                {scopeName(allowed)} ·{' '}
                {lastUsedAt === null ? 'Ещё не использован' : `Использован ${lastActive(lastUsedAt, now)}`}
              </span>
              <Form act="end" id={id} submit="Завершить" isQuiet />
            </li>
          ))}
        </ul>
        <h2>Создать токен</h2>
        <p>Чтобы никто чужой не создал токен вместо вас, понадобится код: пришлём его на вашу почту.</p>
        <Form act="start" submit="Получить код">
          <Field name="name" label="Название" maxLength={limits.tokenNameLength} />
          <Choices name="scope" legend="Что можно программе" choices={scopes} chosen={scope} />
        </Form>
      </>
    );
    return { heading, body };
  },
  acts: {
    async start(context, { name = '', scope = 'read' }) {
      if (name.trim() === '') throw formProblem('Введите название.');
      const { id } = await context.call(startApiToken, { body: { clientToken: context.clientToken } });
      return toCode(context, { code: id }, { name, scope });
    },
    async verify(context, fields) {
      const { params, body } = codeOf(context, fields);
      const { name = '' } = fields;
      const scope = fields['scope'] === 'write' ? ('write' as const) : ('read' as const);
      const { token } = await context.call(verifyApiToken, { params, body: { ...body, name, scope } });
      return done(context, 'Токен создан', { fields: { made: token } });
    },
    end: act('Токен завершён', ({ call }, { id = '' }) => call(endApiToken, { params: { id } })),
  },
});
