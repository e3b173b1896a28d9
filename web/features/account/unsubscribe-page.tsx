import { addresses, type UnsubscribeOutcome } from '#contract/addresses.ts';
import { MailedLink } from './mailed-link.tsx';

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

export function UnsubscribePage({ outcome }: { outcome: UnsubscribeOutcome | null }) {
  return (
    <MailedLink
      outcome={outcome && outcomes[outcome]}
      onward={<a href={addresses.settingsNotifications.href()}>Настройки</a>}
      question="Больше не присылать писем?"
      confirm="Не присылать"
    >
      <p>Письма с уведомлениями перестанут приходить. На стене ничего не изменится.</p>
    </MailedLink>
  );
}
