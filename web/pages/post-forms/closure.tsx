import type { Post } from '#contract/posts.ts';
import { FormPage } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { type Act, page, type PageContext } from '../../forms/page-module.ts';

type Context = PageContext<{ id: string }>;

const setting =
  (message: string, path: 'PUT /posts/{id}/closure' | 'DELETE /posts/{id}/closure'): Act<{ id: string }> =>
  async ({ call, params }) => {
    await call(path, { params });
    return { message, changedPost: await call('GET /posts/{id}', { params }) };
  };

/** The form with which authors forbid everybody else to reply to their post, or allow it again. */
export const closure = page({
  load: async ({ call, params }: Context): Promise<{ actions: Post['actions'] }> => call('GET /posts/{id}', { params }),
  View({ actions: { is_closed: isClosed, closed_by: closedBy, rule } }) {
    const isByKeepers = isClosed && closedBy === undefined;
    return (
      <FormPage>
        <p>
          {isByKeepers && rule}
          {!isByKeepers &&
            (isClosed
              ? 'Новые ответы запрещены: отвечать можете только вы.'
              : 'Написанные останутся, новые сможете добавлять только вы. Разрешить их другим можно в любое время.')}
        </p>
        {!isByKeepers && (
          <Form
            act={isClosed ? 'open' : 'close'}
            submit={isClosed ? 'Разрешить новые ответы' : 'Запретить новые ответы'}
          />
        )}
      </FormPage>
    );
  },
  acts: {
    close: setting('Новые ответы запрещены', 'PUT /posts/{id}/closure'),
    open: setting('Новые ответы разрешены', 'DELETE /posts/{id}/closure'),
  },
});
