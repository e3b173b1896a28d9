import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { engines, openFresh } from '../../test/kit/engines.ts';
import { makeSecrets } from '../secrets.ts';
import { queueMail } from './outbox.ts';
import { startSender } from './sender.ts';

const now = 1_000;
const unreadable = 300;
const mail = { operationId: null, recipient: 'anna@example.org', now, giveUpAt: now + 600 };
const content = { kind: 'code', purpose: 'login', code: '012345', ttlSeconds: 600 };
const device = { userAgent: 'Chrome', userAgentVersion: '142.0', os: 'Windows 11' };

for (const engine of engines) {
  test(
    `mails that cannot be decrypted are recorded as refused and logged once each, on ${engine}`,
    { timeout: 60_000 },
    async () => {
      await using fresh = await openFresh(engine);
      const secrets = makeSecrets('one secret of thirty-two characters');
      const foreign = makeSecrets('another secret of thirty-two characters');
      await fresh.db.tx(async (tx) => {
        for (let i = 0; i < unreadable; i += 1) await queueMail(tx, { ...mail, sealed: foreign.seal(`${i}`) });
      });
      await fresh.db.tx((tx) =>
        queueMail(tx, {
          ...mail,
          recipient: 'boris@example.org',
          sealed: secrets.seal(JSON.stringify({ ...content, device })),
        }),
      );
      const sent: string[] = [];
      const lines: string[] = [];
      const sender = startSender({
        db: fresh.db,
        secrets,
        transport: { send: async (recipient) => void sent.push(recipient), close: () => {} },
        wall: { appName: 'Стена', publicUrl: 'http://localhost' },
        digestOf: async () => undefined,
        log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
        now: () => now,
      });
      while (sent.length === 0 || sender.tally.refused < unreadable) await pause(20);
      await sender.close();
      assert.deepEqual(sent, ['boris@example.org']);
      assert.deepEqual(sender.tally, { accepted: 1, delayed: 0, refused: unreadable, abandoned: 0 });
      assert.equal(lines.length, unreadable);
      assert.match(lines[0]!, /"mail":\d+.*cannot be decrypted/);
      assert.doesNotMatch(lines[0]!, /example\.org/);
    },
  );
}
