import type { SecurityLog } from '../http/security-log.ts';
import { counter, type Metric } from './metric.ts';

export const securityMetrics = ({ counts }: Pick<SecurityLog, 'counts'>): Metric[] => [
  counter(
    'stena_security_events_total',
    'Events that concern the security of accounts, by kind: sign-ins, wrong codes, limits hit, closed sessions, changes.',
    Object.entries(counts).map(([event, value]) => ({ labels: { event }, value })),
  ),
];
