import { ApiError } from '#client/api-error.ts';
import {
  startDeletion,
  startDeviceConfirmation,
  startEmailChange,
  verifyDeletion,
  verifyDeviceConfirmation,
  verifyEmailChange,
} from '#contract/account.ts';
import { addresses } from '#contract/addresses.ts';
import { DeletionConsequences } from '../features/account/deletion-consequences.tsx';
import { emailProblem } from '../features/sign-in/email-problem.ts';
import { CodeForm, codeOf, toCode } from './code-form.tsx';
import { Carried, EmailField, Form } from './form.tsx';
import { act, done, formProblem, plainPage } from './plain-page.ts';

const email = plainPage({
  address: addresses.settingsEmail,
  access: 'user',
  async show({ query, user, sent }) {
    const heading = 'Электронная почта';
    const wanted = sent?.fields['email'] ?? '';
    const step = query.get('step');
    if (step === 'device') {
      const body = (
        <>
          <p>
            Вы вошли с этого устройства недавно, и раньше мы его не видели. Чтобы никто чужой не сменил ваш адрес,
            подтвердите устройство кодом: пришлём его на <b>{user!.email}</b>. Без кода адрес можно изменить через сутки
            после входа.
          </p>
          <Form act="start-device" submit="Получить код">
            <Carried name="email" value={wanted} />
          </Form>
        </>
      );
      return { heading: 'Подтвердите это устройство', body };
    }
    if (query.has('code')) {
      const verifying = step === 'device-code' ? 'verify-device' : 'verify';
      const carried = verifying === 'verify' ? { email: wanted } : { wanted };
      return { heading, body: <CodeForm act={verifying} submit="Подтвердить" carried={carried} /> };
    }
    const body = (
      <>
        <p>
          Сейчас: <b>{user!.email}</b>
        </p>
        <Form act="start" submit="Получить код">
          <EmailField label="Новый адрес" value={sent?.fields['wanted'] ?? ''} />
        </Form>
      </>
    );
    return { heading, body };
  },
  acts: {
    async start(context, { email: wanted = '' }) {
      const problem = emailProblem(wanted);
      if (problem !== null) throw formProblem(problem);
      try {
        const { id } = await context.call(startEmailChange, {
          body: { email: wanted, clientToken: context.clientToken },
        });
        return toCode(context, { code: id }, { email: wanted });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'DEVICE_NOT_CONFIRMED') throw error;
        return toCode(context, { step: 'device' }, { email: wanted });
      }
    },
    async 'start-device'(context, { email: wanted = '' }) {
      const { id } = await context.call(startDeviceConfirmation, { body: { clientToken: context.clientToken } });
      return toCode(context, { step: 'device-code', code: id }, { email: wanted });
    },
    async 'verify-device'(context, fields) {
      await context.call(verifyDeviceConfirmation, codeOf(context, fields));
      const { wanted = '' } = fields;
      return done(context, 'Устройство подтверждено. Теперь запросите код на новый адрес.', { fields: { wanted } });
    },
    verify: act('Адрес изменён', (it, fields) => it.call(verifyEmailChange, codeOf(it, fields))),
  },
});

const deletion = plainPage({
  address: addresses.settingsDeletion,
  access: 'user',
  async show({ query, user }) {
    const heading = 'Удалить учётную запись?';
    if (query.has('code')) {
      return { heading, body: <CodeForm act="verify" submit="Удалить учётную запись" carried={{}} /> };
    }
    const body = (
      <>
        <DeletionConsequences username={user!.username} />
        <p>
          Сначала можно забрать написанное с собой: <a href={addresses.settingsExport.href()}>Скачать мои данные</a>
        </p>
        <p>
          Чтобы удалить учётную запись, понадобится код: пришлём его на <b>{user!.email}</b>.
        </p>
        <Form act="start" submit="Получить код" isQuiet />
      </>
    );
    return { heading, body };
  },
  acts: {
    async start(context) {
      const { id } = await context.call(startDeletion, { body: { clientToken: context.clientToken } });
      return toCode(context, { code: id }, {});
    },
    async verify(context, fields) {
      await context.call(verifyDeletion, codeOf(context, fields));
      return { to: addresses.feed.href() };
    },
  },
});

export const account = [email, deletion];
