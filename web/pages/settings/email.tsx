import { addresses } from '#contract/addresses.ts';
import { emailProblem, normalizeEmail } from '#contract/email.ts';
import { ApiError } from '#client/api-error.ts';
import { EmailField } from '../../features/sign-in/sign-in-fields.tsx';
import { codeOf, MailedCode, toCode } from '../../features/sign-in/mailed-code.tsx';
import { codeWithoutMail } from '../../features/sign-in/who-may-come.ts';
import { FormPage } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { formProblem, page, type PageContext, sayingOnly } from '../../forms/page-module.ts';
import { useClientSettings } from '../../lib/client-settings.ts';

const path = addresses.settingsEmail.href();
/** The codes of errors about the address itself. They lead back to the step with the address. */
const ofAddress = new Set(['EMAIL_ALREADY_EXISTS', 'USER_NOT_FOUND', 'INVALID_REQUEST']);

export const email = page({
  load: ({ call }) => call('GET /users/current/email', {}),
  View({ refused, user, query, handed }) {
    const id = query.get('code');
    const { hasNoMail } = useClientSettings();
    if (id !== null) {
      return (
        <FormPage title="Изменить электронную почту">
          <MailedCode
            id={id}
            email={handed['email'] ?? 'новый адрес'}
            handed={handed}
            submit="Продолжить"
            leaving={{ href: path, name: 'Изменить адрес' }}
          />
        </FormPage>
      );
    }
    return (
      <FormPage
        title="Изменить электронную почту"
        tip={
          <>
            Сейчас вы входите с адресом <b>{user.email}</b>.{' '}
            {refused ?? (hasNoMail ? codeWithoutMail : 'Код, который подтвердит новый, придёт на него.')}
          </>
        }
      >
        {refused === null && (
          <Form act="start" submit="Получить код" errorAt="email">
            <EmailField label="Новый адрес" takesFocus />
          </Form>
        )}
      </FormPage>
    );
  },
  acts: {
    start: sayingOnly([400], async (context, fields) => {
      const wanted = fields['email']?.trim() ?? '';
      const problem = emailProblem(wanted);
      if (problem !== null) throw formProblem(problem);
      const start = (body: { clientToken: string }) =>
        context.call('PUT /users/current/email', { body: { ...body, email: wanted } });
      return toCode(context, path, start, { email: wanted });
    }),
    verify: sayingOnly([400], async (context, fields) => {
      const input = await codeOf(context, fields);
      const wanted = fields['email'] ?? '';
      try {
        const changed = await context.call('PUT /users/current/email/{id}/verify', input);
        return { message: 'Адрес изменён', to: addresses.settings.href(), user: changed };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (ofAddress.has(error.code))
          return { to: path, refused: { fields: { act: 'start', email: wanted }, message: error.message } };
        if (error.code !== 'OPERATION_EXPIRED' || !(await isChanged(context, wanted))) throw error;
        return { message: 'Адрес изменён', to: addresses.settings.href(), user: { email: normalizeEmail(wanted)! } };
      }
    }),
  },
});

/** Whether the address is already changed: an earlier attempt may have succeeded although its response was lost. */
const isChanged = async ({ call }: PageContext, wanted: string): Promise<boolean> =>
  (await call('GET /users/current', {})).email === normalizeEmail(wanted);
