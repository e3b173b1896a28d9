import { useId } from 'react';
import { addresses, type UnsubscribeOutcome } from '#contract/addresses.ts';
import { Button } from '../../ui/button.tsx';
import { FormPage } from './form-page.tsx';

const outcomes: Record<UnsubscribeOutcome, { title: string; text: string }> = {
  done: {
    title: 'Письма больше не придут',
    text: 'Уведомления остались на стене. Снова получать письма можно в настройках.',
  },
  expired: {
    title: 'Ссылка больше не действует',
    text: 'Откройте её из последнего письма или выключите письма в настройках.',
  },
  unknown: {
    title: 'Ссылка не подходит',
    text: 'Откройте её из письма целиком: возможно, часть потерялась. Письма можно выключить и в настройках.',
  },
};

/** The browser itself sends the form, with or without scripts, to the address of the page. */
export function UnsubscribePage({ outcome }: { outcome: UnsubscribeOutcome | null }) {
  const titleId = useId();
  if (outcome !== null) {
    const { title, text } = outcomes[outcome];
    return (
      <FormPage title={title} titleId={titleId}>
        <p>{text}</p>
        <p>
          <a href={addresses.settings.href()}>Настройки</a>
        </p>
      </FormPage>
    );
  }
  return (
    <FormPage title="Больше не присылать писем?" titleId={titleId}>
      <p>Письма с уведомлениями перестанут приходить. На стене ничего не изменится.</p>
      <form method="post" aria-labelledby={titleId}>
        <Button type="submit" variant="primary">
          Не присылать
        </Button>
      </form>
    </FormPage>
  );
}
