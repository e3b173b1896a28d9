import { ApiError } from '#client/api-error.ts';
import { addresses } from '#contract/addresses.ts';
import type { FormFields, PlainOutcome } from '#contract/page.ts';
import { startLogin, startRegistration, verifyLogin, verifyRegistration } from '#contract/sign-in.ts';
import { describeDevice } from '../features/sign-in/describe-device.ts';
import { emailProblem } from '../features/sign-in/email-problem.ts';
import { askForCode, needsCode, whoMayCome } from '../features/sign-in/who-may-come.ts';
import { CodeForm, codeOf } from './code-form.tsx';
import { Carried, CarriedFields, Check, EmailField, Field, Form } from './form.tsx';
import { formProblem, localPath, type PlainContext, plainPage } from './plain-page.ts';

const nextOf = ({ query }: PlainContext) => localPath(query.get('next'));

const step = (context: PlainContext, query: Record<string, string> = {}): string =>
  addresses.signIn.href({}, { next: nextOf(context), ...query });

/** Opens a step of this page that knows what was entered before. */
const toStep = (context: PlainContext, query: Record<string, string>, fields: FormFields): PlainOutcome => ({
  to: step(context, query),
  sent: { page: addresses.signIn.href(), fields, message: '', failed: false },
});

/** Mails a code and leads to the step that asks for it. `next` is another page to go on with than this one names. */
export async function startWith(
  context: PlainContext,
  fields: FormFields,
  { isNew, next }: { isNew: boolean; next?: string },
): Promise<PlainOutcome> {
  const { email = '', invite, consent } = fields;
  const { call, clientToken, userAgent, settings } = context;
  const problem = emailProblem(email);
  if (problem !== null) throw formProblem(problem);
  if (isNew && settings.consent !== undefined && consent === undefined) {
    throw formProblem('Без согласия зарегистрироваться нельзя. Отметьте его, чтобы продолжить.');
  }
  const body = { email, clientToken, device: await describeDevice(userAgent) };
  const agreed = { ...(invite && { invite }), ...(consent && { consent }) };
  try {
    const { id } = isNew
      ? await call(startRegistration, { body: { ...body, ...agreed } })
      : await call(startLogin, { body });
    return toStep(
      context,
      { code: id, ...(isNew && { new: '1' }), ...(next !== undefined && { next }) },
      { email, ...agreed },
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { registration } = settings;
    if (error.code === 'USER_NOT_FOUND' && registration !== 'closed') {
      return toStep(context, { offer: needsCode(registration) ? 'invite' : '1' }, { email, ...agreed });
    }
    // Without an invitation the person has made no mistake: the form asks for one.
    if (error.code === 'REGISTRATION_CLOSED' && registration !== 'closed' && !invite)
      return toStep(context, { offer: 'invite' }, { email });
    throw error;
  }
}

const InviteField = ({ value }: { value: string }) => (
  <Field name="invite" label="Код приглашения" value={value} autoComplete="off" />
);

export const Consent = ({ hash }: { hash: string }) => (
  <Check name="consent" value={hash}>
    Я согласен(на) на <a href={addresses.wallText.href({ name: 'consent' })}>обработку персональных данных</a>
  </Check>
);

/** Signing in: the address, then the code; in between, for a new address, the offer to register. */
export const signIn = plainPage({
  address: addresses.signIn,
  access: 'public',
  async show(context) {
    const { query, user, settings, sent } = context;
    const heading = 'Вход';
    const email = sent?.fields['email'] ?? '';
    const [code, offer] = [query.get('code'), query.get('offer')];
    if (user !== null) {
      const body = (
        <p>
          Вы вошли как <bdi>{user.username}</bdi>. <a href={nextOf(context)}>Продолжить</a>
        </p>
      );
      return { heading, body };
    }
    const elsewhere = <a href={step(context)}>Изменить адрес</a>;
    if (code !== null) {
      const isNew = query.has('new');
      const { invite, consent } = sent?.fields ?? {};
      const given = { ...(email && { email }), ...(invite && { invite }), ...(consent && { consent }) };
      const body = (
        <>
          <CodeForm act={isNew ? 'verify-new' : 'verify'} carried={given} submit="Продолжить" />
          <Form act={isNew ? 'register' : 'start'} submit="Отправить код ещё раз" isQuiet>
            <CarriedFields fields={given} />
          </Form>
          <p>{elsewhere}</p>
        </>
      );
      return { heading, body };
    }
    if (offer !== null) {
      const byInvitation = offer === 'invite';
      const body = (
        <>
          <p>
            {byInvitation ? (
              askForCode(settings.registration)
            ) : (
              <>
                Учётной записи с адресом <b>{email}</b> ещё нет. Продолжите, чтобы создать её: код придёт на эту почту.
              </>
            )}
          </p>
          <Form act="register" submit="Продолжить">
            <Carried name="email" value={email} />
            {byInvitation && <InviteField value={sent?.fields['invite'] ?? ''} />}
            {settings.consent !== undefined && <Consent hash={settings.consent} />}
          </Form>
          <p>{elsewhere}</p>
        </>
      );
      return { heading: 'Регистрация', body };
    }
    const body = (
      <>
        <p>Введите электронную почту: пришлём код для входа</p>
        <p>{whoMayCome[settings.registration ?? 'open']}</p>
        <Form act="start" submit="Получить код">
          <EmailField label="Электронная почта" value={email} />
          {needsCode(settings.registration) && <InviteField value={sent?.fields['invite'] ?? ''} />}
        </Form>
      </>
    );
    return { heading, body };
  },
  acts: {
    start: (context, fields) => startWith(context, fields, { isNew: false }),
    register: (context, fields) => startWith(context, fields, { isNew: true }),
    async verify(context, fields) {
      await context.call(verifyLogin, codeOf(context, fields));
      return { to: nextOf(context) };
    },
    async 'verify-new'(context, fields) {
      await context.call(verifyRegistration, codeOf(context, fields));
      return { to: nextOf(context) };
    },
  },
});
