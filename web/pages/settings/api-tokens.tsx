import { type ReactNode, useEffect, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { ApiToken } from '#contract/api-tokens.ts';
import { limits } from '#contract/limits.ts';
import { ApiError } from '#client/api-error.ts';
import { lastActive } from '../../features/devices/describe-session.ts';
import { CodeGoesTo } from '../../features/sign-in/sign-in-fields.tsx';
import { codeOf, MailedCode, toCode } from '../../features/sign-in/mailed-code.tsx';
import { Choices, Field, FormPage } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { act, formProblem, page } from '../../forms/page-module.ts';
import { useNow } from '../../lib/clock.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { useMounted } from '../../lib/observable.ts';
import { machineTime } from '../../lib/time.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../ui/button.tsx';
import list from '../../ui/list-page.module.css';
import { LocalTime } from '../../ui/local-time.tsx';
import styles from './api-tokens.module.css';

const scopes = [
  { id: 'read', name: 'Только читать' },
  { id: 'write', name: 'Читать и писать' },
  { id: 'feed', name: 'Только ленты: для адреса в читалке' },
] as const;

const scopeOf = (id: string | undefined) => scopes.find((scope) => scope.id === id) ?? scopes[0];
const path = addresses.settingsApiTokens.href();
const isNamed = (name: string) => ({ isGood: name.trim() !== '' });

/** The person's API tokens, and the form that makes one. */
export const apiTokens = page({
  load: ({ call }) => call('GET /users/current/tokens', {}),
  View({ tokens, user, query, handed }) {
    const id = query.get('code');
    if (id !== null) {
      return (
        <FormPage title="Создать токен">
          <MailedCode
            id={id}
            email={user.email}
            handed={handed}
            submit="Создать токен"
            leaving={{ href: path, name: 'Вернуться' }}
          />
        </FormPage>
      );
    }
    const { made, name = '' } = handed;
    return (
      <>
        <p className={list.about}>
          С токеном программа читает стену или пишет на ней от вашего имени. Никому его не показывайте.{' '}
          <a href={addresses.wallText.href({ name: 'api' })}>Что программа может и как это вызвать</a>
        </p>
        {made !== undefined && <Made token={made} name={name} />}
        <section aria-labelledby="tokens">
          <h2 id="tokens" className={list.heading}>
            Ваши токены
          </h2>
          {tokens.length === 0 ? (
            <p className={list.none}>Токенов пока нет</p>
          ) : (
            <ul className={list.list}>
              {tokens.map((token) => (
                <Row key={token.id} token={token} />
              ))}
            </ul>
          )}
        </section>
        {tokens.length >= limits.tokens ? (
          <p className={list.none}>Больше {limits.tokens} токенов создать нельзя. Завершите ненужные.</p>
        ) : (
          <FormPage title="Создать токен" tip={<Purpose email={user.email} />}>
            <Form act="start" submit="Получить код" errorAt="name">
              <Field
                name="name"
                label="Название"
                note="Чтобы узнать его в списке: например, «бот погоды»."
                maxLength={limits.tokenNameLength}
                check={isNamed}
              />
              <Choices name="scope" legend="Что можно программе" choices={scopes} chosen="read" />
            </Form>
          </FormPage>
        )}
      </>
    );
  },
  acts: {
    async start(context, { name = '', scope }) {
      if (name.trim() === '') throw formProblem('Введите название.');
      const start = (body: { clientToken: string }) => context.call('POST /users/current/tokens', { body });
      return toCode(context, path, start, { name, scope: scopeOf(scope).id });
    },
    async verify(context, fields) {
      const { params, body } = await codeOf(context, fields);
      const { name = '' } = fields;
      const scope = scopeOf(fields['scope']).id;
      try {
        const { token } = await context.call('POST /users/current/tokens/{id}/verify', {
          params,
          body: { ...body, name, scope },
        });
        return { message: 'Токен создан', to: path, handed: { made: token, name } };
      } catch (error) {
        // The server checks the name after the code, so this rejection is about the name.
        if (!(error instanceof ApiError) || error.code !== 'INVALID_REQUEST') throw error;
        return { to: path, refused: { fields: { act: 'start', name, scope }, message: error.message } };
      }
    },
    end: act('Токен завершён', ({ call }, { id = '' }) =>
      call('DELETE /users/current/tokens/{id}', { params: { id } }),
    ),
  },
});

const Purpose = ({ email }: { email: string }): ReactNode => (
  <>
    Чтобы никто чужой не создал токен вместо вас, понадобится код
    <CodeGoesTo email={email} />
  </>
);

function Row({ token: { id, name, scope, createdAt, lastUsedAt } }: { token: ApiToken }) {
  const now = useNow();
  return (
    <li className={styles.row}>
      <div className={styles.summary}>
        <bdi id={`token-${id}`} className={styles.name}>
          {name}
        </bdi>
        <span className={styles.detail}>
          {scopeOf(scope).name} · создан <LocalTime at={createdAt} />
        </span>
        <span className={styles.detail}>
          {lastUsedAt === null ? (
            'Ещё не использован'
          ) : (
            <>
              Использован <time dateTime={machineTime(lastUsedAt)}>{lastActive(lastUsedAt, now)}</time>
            </>
          )}
        </span>
      </div>
      <Form
        act="end"
        id={id}
        submit="Завершить"
        variant="quiet"
        describedBy={`token-${id}`}
        isInline
        confirm={{
          title: 'Завершить токен?',
          text: (
            <p className={styles.words}>
              Программа с токеном «<bdi>{name}</bdi>» сразу потеряет доступ. Вернуть токен нельзя, можно только создать
              новый.
            </p>
          ),
          action: 'Завершить',
        }}
      />
    </li>
  );
}

/** A token that was just made. It is never shown again. */
function Made({ token, name }: { token: string; name: string }) {
  const mounted = useMounted();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [token, mounted]);

  const copy = async () => {
    showToast((await copyText(token)) ? 'Скопировано' : 'Не удалось скопировать. Выделите токен сами.');
  };
  return (
    <section className={styles.made} aria-label="Новый токен">
      <p>
        Токен «<bdi>{name}</bdi>» создан. Скопируйте его сейчас: больше он не покажется.
      </p>
      <code className={styles.token}>{token}</code>
      {mounted && (
        <Button ref={button} variant="primary" data-autofocus onClick={() => void copy()}>
          Скопировать токен
        </Button>
      )}
      <p className={styles.detail}>
        Программа передаёт его в заголовке <code>Authorization: Bearer</code> и сам токен через пробел.
      </p>
    </section>
  );
}
