import { addresses } from '#contract/addresses.ts';
import { ApiError } from '#client/api-error.ts';
import { codeOf, MailedCode, toCode } from '../../features/sign-in/mailed-code.tsx';
import { CodeGoesTo } from '../../features/sign-in/sign-in-fields.tsx';
import { FormPage } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { page } from '../../forms/page-module.ts';
import form from '../../forms/form.module.css';
import button from '../../ui/button.module.css';
import styles from './deletion.module.css';

const path = addresses.settingsDeletion.href();
const isDeleted = 'Учётная запись удалена';

export const deletion = page({
  View({ user, query, handed }) {
    const id = query.get('code');
    return (
      <FormPage title="Удалить учётную запись?">
        {id !== null ? (
          <MailedCode
            id={id}
            email={user.email}
            handed={handed}
            submit="Удалить учётную запись"
            isDangerous
            leaving={{ href: path, name: 'Вернуться' }}
          />
        ) : (
          <>
            <ul className={form.points}>
              <li>Ваши записи, ответы и отметки «Нравится» исчезнут со стены.</li>
              <li>
                Имя <bdi>{user.username}</bdi> больше никто не получит, даже вы.
              </li>
              <li>Все сеансы завершатся сразу, на всех устройствах.</li>
              <li>Отменить удаление и вернуть что-либо будет нельзя.</li>
            </ul>
            <p>Сначала можно забрать написанное с собой:</p>
            <a href={addresses.settingsExport.href()} download className={button.button} data-variant="quiet">
              Скачать мои данные
            </a>
            <p className={styles.tip}>
              Чтобы удалить учётную запись, понадобится код
              <CodeGoesTo email={user.email} />
            </p>
            <Form act="start" submit="Получить код" variant="danger" />
          </>
        )}
      </FormPage>
    );
  },
  acts: {
    start: (context) => toCode(context, path, (body) => context.call('POST /users/current/deletion', { body })),
    async verify(context, fields) {
      const input = await codeOf(context, fields);
      try {
        await context.call('POST /users/current/deletion/{id}/verify', input);
      } catch (error) {
        // The response may be lost although the account was deleted. The end of the session then confirms the deletion.
        if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) context.mayEndSession(isDeleted);
        throw error;
      }
      return { message: isDeleted, to: addresses.feed.href(), isSignedOut: true };
    },
  },
});
