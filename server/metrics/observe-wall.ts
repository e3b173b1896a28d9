import type { Database } from '../db/database.ts';
import type { Broadcast } from '../events/broadcast.ts';
import { waitingMails } from '../mail/outbox.ts';
import type { SecurityLog } from '../http/security-log.ts';
import type { Sender } from '../mail/sender.ts';
import { type Held, heldMetrics } from './held-metrics.ts';
import type { LimitHits } from './limit-hits.ts';
import { mailMetrics, outboxMetrics } from './mail-metrics.ts';
import { gauge } from './metric.ts';
import type { Registry } from './registry.ts';
import { securityMetrics } from './security-metrics.ts';
import { storageMetrics } from './storage-metrics.ts';

interface Observed {
  db: Database;
  outbox: Sender;
  broadcast: Broadcast;
  limitHits: LimitHits;
  security: Pick<SecurityLog, 'counts'>;
  /** By what their answers show. */
  memories: Readonly<Record<string, Held>>;
  config: { codeTtlSeconds: number };
  /** Unix seconds. */
  now: () => number;
}

/** Lets the parts of the wall tell how they fare. */
export function observeWall(
  registry: Registry,
  { db, outbox, broadcast, limitHits, security, memories, config, now }: Observed,
): void {
  registry.add(() => storageMetrics(db.vitals()));
  registry.add(async () => outboxMetrics(await waitingMails(db.read, now(), config)));
  registry.add(() => mailMetrics(outbox.tally));
  registry.add(() => limitHits.metrics());
  registry.add(() => securityMetrics(security));
  registry.add(() => [gauge('stena_event_streams', 'Open streams of events.', broadcast.readers)]);
  registry.add(() => heldMetrics(memories));
}
