import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, newAddress, openBrowser } from '../test/kit/sign-in.ts';
import { engines, openFresh } from '../test/kit/engines.ts';
import { startMailServer } from '../test/kit/smtp.ts';
import { wallOver } from '../test/kit/wall.ts';

const [first, second] = ['first '.repeat(8), 'second '.repeat(8)];

for (const engine of engines) {
  test(`accepts tokens, codes and mails of SECRET_PREVIOUS until it is removed, on ${engine}`, async (t) => {
    await using fresh = await openFresh(engine);
    const mail = await startMailServer();
    t.after(() => mail.close());
    const settings = { SMTP_URL: mail.url, CODE_TTL_SECONDS: '6000' };
    const wall = await wallOver(fresh.db, { ...settings, SECRET: first });
    // The browsers keep this object while the server in it is replaced.
    const running = { app: wall.app, mail };
    const replace = async (secrets: NodeJS.ProcessEnv, seconds: number): Promise<void> => {
      await running.app.close();
      const next = await wallOver(fresh.db, { ...settings, ...secrets });
      next.clock.now += seconds;
      running.app = next.app;
    };
    t.after(() => running.app.close());

    const [member, withCode, waiting, late] = [running, running, running, running].map(openBrowser) as [
      Browser,
      Browser,
      Browser,
      Browser,
    ];
    await member.enter('registrations', newAddress());
    const own = newAddress();
    const withCodeOperation = (await withCode.start('registrations', own)).json();
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
    assert.equal((await withCode.verify('registrations', withCodeOperation.id, code)).statusCode, 200, 'the code');
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
  const response = await browser.send('GET', `/mail/${id}?clientToken=${encodeURIComponent(browser.clientToken)}`);
  return response.json().state;
}
