import type { Keep } from '#contract/keep.ts';
import { appointPerson, dismissPerson, verifyModeration } from '#contract/moderation.ts';
import type { FormFields, PlainOutcome } from '#contract/page.ts';
import { roleNames } from '../features/moderation/role-names.ts';
import { isNotFound } from '../lib/api-error.ts';
import { PersonNames } from '../ui/person-names.tsx';
import { codeOf, withFreshCode } from './code-form.tsx';
import { Choices, Field, Form } from './form.tsx';
import { formProblem, type PlainContext } from './plain-page.ts';

const roles = [
  { id: 'moderator', name: 'Модератор' },
  { id: 'owner', name: 'Владелец' },
  { id: 'none', name: 'Больше не ведёт стену' },
];

export const Keepers = ({ keepers }: Pick<Keep, 'keepers'>) => (
  <ul>
    {keepers.map((keeper) => (
      <li key={keeper.id}>
        <PersonNames {...keeper} /> <span className="quiet">{roleNames[keeper.role]}</span>
      </li>
    ))}
  </ul>
);

/** Appoints and dismisses. */
export const RoleForm = (props: Pick<Keep, 'keepers'>) => (
  <>
    <Keepers {...props} />
    <Form act="role" submit="Изменить роль" isQuiet>
      <Field name="username" label="Имя пользователя" autoComplete="off" />
      <Choices name="role" legend="Кто это теперь" choices={roles} chosen="moderator" />
      <Field name="reason" label="Причина для журнала" />
    </Form>
  </>
);

async function changeRole(context: PlainContext, fields: FormFields): Promise<PlainOutcome> {
  const { call } = context;
  const [username = '', reason = ''] = [fields['username']?.trim(), fields['reason']?.trim()];
  if (username === '' || reason === '') throw formProblem('Введите имя пользователя и причину.');
  const { role = '' } = fields;
  const params = { username };
  return withFreshCode(context, { username, role, reason }, async () => {
    try {
      if (role === 'none') await call(dismissPerson, { params, body: { reason } });
      else await call(appointPerson, { params, body: { reason, owner: role === 'owner' } });
    } catch (error) {
      if (isNotFound(error)) throw formProblem('Такого человека на стене нет.');
      throw error;
    }
    return 'Роль изменена';
  });
}

export const keeperActs = {
  role: changeRole,
  async confirm(context: PlainContext, fields: FormFields) {
    await context.call(verifyModeration, codeOf(context, fields));
    return changeRole(context, fields);
  },
};
