import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { normalizeComment, otherReason, postTextLength } from '#contract/text.ts';
import { postGone } from '../../features/posts/store/post-list-state.ts';
import { WallTextLinks } from '../../features/wall-texts/wall-text-links.tsx';
import { Choices, FormPage, TextField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { formProblem, page, type PageContext } from '../../forms/page-module.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import styles from './post-forms.module.css';

type Context = PageContext<{ id: string }>;

function judgeComment(typed: string) {
  const comment = normalizeComment(typed);
  const remaining = limits.postLength - postTextLength(typed);
  return {
    isGood: comment.ok,
    problem: comment.ok ? null : comment.reason,
    remaining: remaining <= limits.counterFrom ? remaining : null,
  };
}

export const report = page({
  load: ({ call }: Context) => call('GET /reports/reasons', {}),
  View({ reasons }) {
    return (
      <FormPage>
        <Form act="report" submit="Отправить" variant="primary">
          <Choices name="reason" legend="Что не так с этой записью?" choices={reasons} isRequired />
          <div className={styles.comment}>
            <TextField name="comment" label="Что не так, если хотите пояснить" check={judgeComment} />
          </div>
        </Form>
        <WallTextLinks target="_blank" />
      </FormPage>
    );
  },
  acts: {
    async report({ call, params }: Context, { reason, comment }) {
      if (!reason) throw formProblem('Выберите причину.');
      const judged = normalizeComment(reason === otherReason ? comment : '');
      if (!judged.ok) throw formProblem(judged.reason);
      const to = addresses.postActions.href(params);
      const body = judged.text === null ? {} : { comment: judged.text };
      try {
        await call('POST /posts/{id}/reports', { params, query: { reason_id: reason }, body });
        return { message: 'Жалоба отправлена', to };
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return { message: postGone, to, gonePostId: params.id };
      }
    },
  },
});
