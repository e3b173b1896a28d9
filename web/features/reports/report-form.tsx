import { useState } from 'react';
import { limits } from '#contract/limits.ts';
import { normalizeComment, otherReason } from '#contract/report-comment.ts';
import { listReasons, reportPost } from '#contract/reports.ts';
import { postTextLength } from '#contract/text.ts';
import { call } from '../../lib/api.ts';
import { onDemand, useOnDemand } from '../../lib/on-demand.ts';
import { showToast } from '../../lib/toasts.ts';
import { isNotFound } from '../../lib/api-error.ts';
import { WallTextLinks } from '../wall-texts/wall-text-links.tsx';
import { useRequest } from '../session/use-request.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './report-form.module.css';
import visuallyHidden from '../../ui/visually-hidden.module.css';
import { Form } from '../../ui/form.tsx';

const reasons = onDemand(async () => (await call(listReasons, {})).reasons);

interface ReportFormProps {
  postId: string;
  /** Called when the post is no longer there. */
  onGone: () => void;
  onClose: () => void;
}

export function ReportForm({ postId, onGone, onClose }: ReportFormProps) {
  const { thing: choices, failure, retry } = useOnDemand(reasons, true);
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const isOther = chosen === otherReason;
  const comment = normalizeComment(chosen ?? '', isOther ? typed : undefined);
  const left = limits.postLength - postTextLength(typed);
  const { busy, error, send } = useRequest({ action: { kind: 'report', postId }, onClose });

  const submit = () =>
    send(async () => {
      if (chosen === null || !comment.ok) return;
      try {
        const body = comment.text === null ? {} : { comment: comment.text };
        await call(reportPost, { params: { id: postId }, query: { reason_id: chosen }, body });
        showToast('Жалоба отправлена');
      } catch (refusal) {
        if (!isNotFound(refusal)) throw refusal;
        onGone();
      }
    });

  return (
    <Form className={styles.form} onSubmit={submit}>
      {choices ? (
        <RadioGroup
          legend="Что не так с этой записью?"
          choices={choices}
          chosen={chosen}
          disabled={busy}
          onChoose={setChosen}
        />
      ) : (
        failure === null && <ReasonsSkeleton />
      )}
      {isOther && (
        <TextArea
          label="Что не так?"
          value={typed}
          error={comment.ok || typed.trim() === '' ? null : comment.reason}
          left={left <= limits.postCounterFrom ? left : null}
          readOnly={busy}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <FormError>{error ?? failure}</FormError>
      {failure === null ? (
        <Button type="submit" variant="primary" disabled={chosen === null || !comment.ok} busy={busy}>
          Отправить
        </Button>
      ) : (
        <Button onClick={retry}>Повторить</Button>
      )}
      <WallTextLinks target="_blank" />
    </Form>
  );
}

const usual = 7;

/** The skeleton of the list of reasons. */
function ReasonsSkeleton() {
  return (
    <div className={styles.reasons}>
      <span className={visuallyHidden.always}>Загрузка</span>
      {Array.from({ length: usual }, (_, index) => (
        <span key={index} className={styles.reason} />
      ))}
    </div>
  );
}
