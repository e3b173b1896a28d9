import { FormPage } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { act, page, type PageContext } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';

type Context = PageContext<{ id: string }>;

/** The form with which an author shares a post of a closed wall with everybody. */
export const sharing = page({
  async load({ call, params }: Context) {
    try {
      await call('GET /posts/{id}/shared', { params });
      return { isShared: true };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return { isShared: false };
    }
  },
  View: ({ isShared }) => (
    <FormPage>
      <p>
        {isShared
          ? 'Всем, у кого есть ссылка на неё. Ответы видят только участники.'
          : 'Участникам: стена закрыта. Можно открыть одну эту запись, без ответов, и послать ссылку кому угодно.'}
      </p>
      <Form act={isShared ? 'unshare' : 'share'} submit={isShared ? 'Только участникам' : 'Видна всем'} />
    </FormPage>
  ),
  acts: {
    share: act('Запись видна всем', ({ params, call }: Context) => call('PUT /posts/{id}/shared', { params })),
    unshare: act('Запись видна участникам', ({ params, call }: Context) =>
      call('DELETE /posts/{id}/shared', { params }),
    ),
  },
});
