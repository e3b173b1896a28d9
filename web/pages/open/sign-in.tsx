import { type ReactNode, useEffect, useId } from 'react';
import { type ClientSettings, type FormFields, shownContact } from '#contract/page-data.ts';
import { ApiError } from '#client/api-error.ts';
import { ContactLine } from '../../features/session/contact-line.tsx';
import { Consent, EmailField, InviteField } from '../../features/sign-in/sign-in-fields.tsx';
import { codeOf, MailedCode } from '../../features/sign-in/mailed-code.tsx';
import { purposeOf } from '../../features/sign-in/purpose.ts';
import { offerStep, signInStep, startSignIn } from '../../features/sign-in/start-sign-in.ts';
import { codeWithoutMail, needsCode, whoMayCome } from '../../features/sign-in/who-may-come.ts';
import { WallTextLinks } from '../../features/wall-texts/wall-text-links.tsx';
import { Carried, FormPage } from '../../forms/fields.tsx';
import { FormNameContext } from '../../forms/form-host.ts';
import { Form } from '../../forms/form.tsx';
import { localPath, type OpenContext, pageForAnyone, type OpenView } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';
import styles from '../../forms/form.module.css';

/** The steps of signing in: the address, the offer to register for a new address, the code. */
export const signIn = pageForAnyone({
  View(view) {
    const { appName, line, isClosed } = useClientSettings();
    return (
      <FormPage title={appName} tip={line} isEntrance isBare={isClosed}>
        <Step {...view} />
      </FormPage>
    );
  },
  acts: {
    start: (context, fields) => startSignIn(context, fields, { isNew: false }),
    register: (context, fields) => startSignIn(context, fields, { isNew: true }),
    async verify(context, fields) {
      const { call, query } = context;
      const input = await codeOf(context, fields);
      try {
        await (query.has('new')
          ? call('POST /registrations/{id}/verify', input)
          : call('POST /logins/{id}/verify', input));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { code, message } = error;
        if (code === 'ACCOUNT_BLOCKED')
          return { to: signInStep(query, { blocked: '1' }), handed: { ...enteredIn(fields), reason: message } };
        if (code !== 'REGISTRATION_CLOSED') throw error;
        // The invitation was used up after the code had been sent.
        const refused = { fields: { ...enteredIn(fields), act: 'register' }, message };
        return { to: signInStep(query, { offer: 'invite' }), refused };
      }
      return { to: localPath(query.get('next')), isSignedIn: true };
    },
    async change({ query }, fields) {
      const code = query.get('code');
      const { email = '', consent, client = '', at = '' } = fields;
      const sent = {
        code: code ?? '',
        sentTo: email,
        client,
        at,
        new: query.get('new') ?? '',
        ...(consent && { consent }),
      };
      return { to: signInStep(query), handed: { ...enteredIn(fields), ...(code !== null && sent) } };
    },
    newcomer: async (context: OpenContext, fields) => ({ to: offerStep(context), handed: enteredIn(fields) }),
  },
});

const enteredIn = ({ email = '', invite }: FormFields): FormFields => ({ email, ...(invite && { invite }) });

function Step({ user, query, handed }: OpenView) {
  const { isClosed, registration } = useClientSettings();
  const code = query.get('code');
  if (user !== null) {
    return (
      <p>
        Вы вошли как <bdi>{user.email}</bdi>. <a href={localPath(query.get('next'))}>Продолжить</a>
      </p>
    );
  }
  if (code !== null) {
    const isNew = query.has('new');
    return (
      <>
        <MailedCode
          id={code}
          email={handed['email'] ?? 'вашу почту'}
          handed={handed}
          submit="Продолжить"
          again={isNew ? 'register' : 'start'}
          leaving={{ act: 'change', name: 'Изменить адрес' }}
        />
        {/* A login on a closed wall does not say that the address has no account, so this button leads a newcomer to the registration. */}
        {isClosed && !isNew && registration !== 'closed' && (
          <Away act="newcomer" name="Я здесь впервые" handed={handed} />
        )}
      </>
    );
  }
  if (query.has('offer')) return <Offer query={query} handed={handed} />;
  if (query.has('blocked')) {
    return (
      <>
        <p role="alert">{handed['reason']}</p>
        <ContactLine />
        <Away act="change" name="Вернуться" handed={handed} takesFocus />
      </>
    );
  }
  return <Address query={query} handed={handed} />;
}

type StepProps = Pick<OpenView, 'query' | 'handed'>;

/** The fields of the address form that describe the code sent before. */
const sentBefore = ['code', 'sentTo', 'client', 'at', 'new', 'consent'];

function Address({ query, handed }: StepProps) {
  const { registration, isClosed, contact, hasNoMail } = useClientSettings();
  const [tipId, whoId] = [useId(), useId()];
  const purpose = purposeOf(query);
  const { email, invite } = handed;
  useEffect(() => {
    // The library that names this device is loaded while the address is typed. Without it the name is empty.
    import('bowser').catch(() => {});
  }, []);
  return (
    <>
      <div id={tipId} className={styles.tip}>
        {purpose !== undefined && <p className={styles.purpose}>{purpose}</p>}
        <p>
          {hasNoMail
            ? `Введите электронную почту. ${codeWithoutMail}`
            : 'Введите электронную почту: пришлём код для входа'}
        </p>
      </div>
      <Form act="start" submit="Получить код" errorAt="email">
        {sentBefore.map((name) => handed[name] && <Carried key={name} name={name} value={handed[name]} />)}
        <EmailField label="Электронная почта" value={email} describedBy={tipId} takesFocus />
        <p id={whoId} className={styles.tip}>
          {whoMayCome[registration]}
        </p>
        {needsCode(registration) ? (
          <InviteField value={invite} describedBy={whoId} />
        ) : (
          invite && <Carried name="invite" value={invite} />
        )}
      </Form>
      {isClosed && (
        <p className={styles.tip}>
          Читают только участники.
          {contact && (
            <>
              {' '}
              Кому писать: <a href={contact}>{shownContact(contact)}</a>
            </>
          )}
        </p>
      )}
      <WallTextLinks target="_blank" />
    </>
  );
}

/** Words for a person without an account who has sent an address. */
const askForCode = (mode: ClientSettings['registration']): string =>
  `Нужно приглашение от ${mode === 'members' ? 'участника' : 'модератора'}. Введите код, который вам дали.`;

/** Offers to create an account, and asks for an invitation if the server requires it. On a closed wall the address may have an account. */
function Offer({ query, handed }: StepProps) {
  const { isClosed, registration, consent, hasNoMail } = useClientSettings();
  const tipId = useId();
  const { email = '', invite } = handed;
  const byInvitation = query.get('offer') === 'invite';
  const tip: ReactNode = byInvitation ? (
    askForCode(registration)
  ) : (
    <>
      {isClosed ? 'Если учётной' : 'Учётной'} записи с адресом <b>{email}</b> ещё нет
      {isClosed ? ', продолжите' : '. Продолжите'}, чтобы создать её
      {hasNoMail ? `. ${codeWithoutMail}` : ': код придёт на эту почту.'}
    </>
  );
  return (
    <>
      <p id={tipId} className={styles.tip}>
        {tip}
      </p>
      <Form
        act="register"
        submit="Продолжить"
        describedBy={tipId}
        takesFocus={!byInvitation}
        {...(byInvitation && { errorAt: 'invite' })}
      >
        <Carried name="email" value={email} />
        {byInvitation ? (
          <InviteField value={invite} describedBy={tipId} isOnlyField />
        ) : (
          invite && <Carried name="invite" value={invite} />
        )}
        {/* The consent that the server asked for last, or else the current one. */}
        <Consent hash={query.get('consent') ?? consent} />
      </Form>
      <Away act="change" name="Вернуться" handed={handed} variant="quiet" />
      <WallTextLinks target="_blank" />
    </>
  );
}

interface AwayProps extends Pick<StepProps, 'handed'> {
  act: string;
  name: string;
  variant?: 'quiet' | 'plain';
  takesFocus?: boolean;
}

/** A button that leads to another step with the entered fields. The heading of the page does not name this form. */
const Away = ({ act, name, handed, variant = 'plain', takesFocus = false }: AwayProps) => (
  <FormNameContext value={undefined}>
    <Form act={act} submit={name} variant={variant} takesFocus={takesFocus}>
      {Object.entries(enteredIn(handed)).map(([field, value]) => (
        <Carried key={field} name={field} value={value} />
      ))}
    </Form>
  </FormNameContext>
);
