import type { WaitingMails } from '../mail/outbox.ts';
import type { MailTally } from '../mail/sender.ts';
import { counter, gauge, type Metric } from './metric.ts';

export const outboxMetrics = ({ count, oldestSeconds }: WaitingMails): Metric[] => [
  gauge('stena_outbox_waiting', 'Mails that wait to be accepted, of all processes on this database.', count),
  gauge('stena_outbox_oldest_seconds', 'How long the oldest of them has waited.', oldestSeconds),
];

export const mailMetrics = (tally: MailTally): Metric[] => [
  counter(
    'stena_mails_total',
    'Attempts of this process to hand a mail over, by what came of them.',
    Object.entries(tally).map(([outcome, value]) => ({ labels: { outcome }, value })),
  ),
];
