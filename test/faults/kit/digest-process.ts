import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../../../server/config.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { startSender } from '../../../server/mail/sender.ts';
import { openTransport } from '../../../server/mail/transport.ts';
import { letterWriters } from '../../../server/features/notifications/letters/letter-writers.ts';
import { wallJobs } from '../../../server/ops/jobs/wall-jobs.ts';
import { makeSecrets } from '../../../server/secrets.ts';
import { SECRET } from '../../kit/server-process.ts';

/** The background work of a server: jobs and mail, with a fast clock that its parent sets. */
const config = readConfig(process.env);
const db = await openDatabase(config, () => {});
const secrets = makeSecrets(SECRET);
const log = pino({ level: 'silent' });

/** A lease of the outbox, 15 s, passes in 1.5 s. */
const speed = 10;
let base = Number(process.argv[2]);
let since = performance.now();
const now = (): number => Math.floor(base + ((performance.now() - since) / 1_000) * speed);
process.on('message', (seconds: number) => {
  base = seconds;
  since = performance.now();
});

const wall = {
  ...config,
  readers: 'everyone',
  lettersHaveTexts: false,
  mailsFile: false,
  line: undefined,
  mark: undefined,
} as const;
const sender = startSender({
  db,
  secrets,
  transport: openTransport(config, () => {}),
  wall: config,
  letters: letterWriters({ db, secrets, wall, now }),
  log,
  now,
});
const jobs = wallJobs({ db, secrets, log, now });
process.stdout.write('ready\n');
for (;;) {
  await jobs.runDue();
  sender.wake();
  await sleep(20);
}
