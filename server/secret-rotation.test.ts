import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, newAddress, openBrowser } from '../test/door.ts';
import { engines, openFresh } from '../test/engines.ts';
import { startMailServer } from '../test/smtp.ts';
import { wallOver } from '../test/wall.ts';

const [first, second] = ['first '.repeat(8), 'second '.repeat(8)];

for (const engine of engines) {
  test(`what was made with the previous secret is accepted until that is removed, on ${engine}`, async (t) => {
    const { db, close } = await openFresh(engine);
    t.after(close);
    const mail = await startMailServer();
    t.after(() => mail.close());
    const settings = { SMTP_URL: mail.url, CODE_TTL_SECONDS: '6000' };
    const wall = await wallOver(db, { ...settings, SECRET: first });
    // The browsers stay the same while the server behind this door is replaced.
    const door = { app: wall.app, mail };
    const replace = async (secrets: NodeJS.ProcessEnv, seconds: number): Promise<void> => {
      await door.app.close();
      const next = await wallOver(db, { ...settings, ...secrets });
      next.clock.now += seconds;
      door.app = next.app;
    };
    t.after(() => door.app.close());

    const [member, withCode, waiting, late] = [door, door, door, door].map(openBrowser) as [
      Browser,
      Browser,
      Browser,
      Browser,
    ];
    await member.enter('registrations', newAddress());
    const own = newAddress();
    const held = (await withCode.start('registrations', own)).json();
    const code = await mail.codeTo(own);
    mail.refuse(() => 451);
    const [awaitedAt, lateAt] = [newAddress(), newAddress()];
    const awaited = (await waiting.start('registrations', awaitedAt)).json();
    const never = (await late.start('registrations', lateAt)).json();
    for (const [browser, { id }] of [[waiting, awaited] as const, [late, never] as const])
      while ((await mailState(browser, id)) !== 'delayed') await pause(20);

    mail.refuse((recipient) => (recipient === lateAt ? 451 : undefined));
    await replace({ SECRET: second, SECRET_PREVIOUS: first }, 10);
    assert.equal((await member.send('GET', '/users/current')).statusCode, 200, 'the access token');
    assert.equal((await withCode.verify('registrations', held.id, code)).statusCode, 200, 'the code');
    const sent = await mail.codeTo(awaitedAt);
    assert.equal((await waiting.verify('registrations', awaited.id, sent)).statusCode, 200, 'the sealed mail');

    mail.refuse(undefined);
    await replace({ SECRET: second }, 60);
    assert.equal((await member.send('GET', '/users/current')).statusCode, 401);
    while ((await mailState(late, never.id)) === 'delayed') await pause(20);
    assert.equal(await mailState(late, never.id), 'refused');
    assert.ok(!mail.received.some(({ to }) => to.includes(lateAt)));
  });
}

async function mailState(browser: Browser, id: string): Promise<string> {
  const answer = await browser.send('GET', `/mail/${id}?clientToken=${encodeURIComponent(browser.clientToken)}`);
  return answer.json().state;
}
