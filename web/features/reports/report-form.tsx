import { useState } from 'react';
import { listReasons, reportPost } from '#contract/reports.ts';
import { call } from '../../lib/api.ts';
import { onDemand, useOnDemand } from '../../lib/on-demand.ts';
import { showToast } from '../../lib/toasts.ts';
import { isNotFound } from '../../lib/api-error.ts';
import { WallTextLinks } from '../wall-texts/wall-text-links.tsx';
import { useRequest } from '../session/use-request.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import styles from './report-form.module.css';
import visuallyHidden from '../../ui/visually-hidden.module.css';

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
  const { busy, error, send } = useRequest({ action: { kind: 'report', postId }, onClose });

  const submit = () =>
    send(async () => {
      if (chosen === null) return;
      try {
        await call(reportPost, { params: { id: postId }, query: { reason_id: chosen } });
        showToast('Жалоба отправлена');
      } catch (refusal) {
        if (!isNotFound(refusal)) throw refusal;
        onGone();
      }
    });

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
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
      <FormError>{error ?? failure}</FormError>
      {failure === null ? (
        <Button type="submit" variant="primary" disabled={chosen === null} busy={busy}>
          Отправить
        </Button>
      ) : (
        <Button onClick={retry}>Повторить</Button>
      )}
      <WallTextLinks target="_blank" />
    </form>
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
