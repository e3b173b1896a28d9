import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { undoSeconds } from '../features/sign-in/sign-in-rules.ts';
import { newAddress, openBrowser, wrong } from '../../test/kit/sign-in.ts';
import { appoint, confirm } from '../../test/kit/desk.ts';
import { engines } from '../../test/kit/engines.ts';
import { freePort } from '../../test/kit/free-port.ts';
import {
  deleteAccount,
  signInElsewhere,
  register,
  startEmailChange,
  verifyEmailChange,
} from '../../test/kit/member.ts';
import { makeToken } from '../../test/kit/api-token.ts';
import { parseMetrics } from '../../test/kit/prometheus.ts';
import { openWall } from '../../test/kit/wall.ts';

interface Line {
  event?: string;
  network: string;
  address?: string;
  user?: number;
  limit?: string;
}

for (const engine of engines) {
  test(`logs and counts events about the security of accounts, on ${engine}`, async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const METRICS = `127.0.0.1:${await freePort()}`;
    await using wall = await openWall(engine, { METRICS, ACCESS_TOKEN_SECONDS: String(undoSeconds + 3_600) }, log);
    const events = (): Line[] =>
      lines.map((line) => JSON.parse(line) as Line).filter(({ event }) => event !== undefined);
    const since = (): Line[] => {
      const all = events();
      lines.length = 0;
      return all;
    };

    const anna = await register(wall);
    const user = Number(anna.id);
    const [signIn, ...others] = since();
    assert.deepEqual([signIn!.event, signIn!.user, others], ['sign-in', user, []]);

    wall.clock.now += 61;
    const stranger = openBrowser(wall);
    const { id } = (await stranger.start('logins', anna.email)).json();
    const code = await wall.mail.codeTo(anna.email);
    for (let i = 0; i < 6; i += 1) await stranger.verify('logins', id, wrong(code));
    assert.equal((await stranger.start('logins', anna.email)).statusCode, 429);
    const guesses = since();
    assert.deepEqual(
      guesses.map(({ event, limit }) => limit ?? event),
      [...Array<string>(5).fill('wrong-code'), 'mails'],
      'a code that was not compared is not logged',
    );
    assert.deepEqual(new Set(guesses.slice(0, 5).map(({ address }) => address)), new Set([signIn!.address]));
    assert.equal(new Set([...guesses.map(({ network }) => network), signIn!.network]).size, 2);

    const elsewhere = await signInElsewhere(wall, anna);
    const { sessions } = (await anna.send('GET', '/sessions')).json();
    await anna.send('DELETE', `/sessions/${sessions[1].id}`);
    await anna.send('DELETE', '/sessions');
    await anna.send('PATCH', '/users/current/profile', { username: 'anna_petrova' });
    const next = newAddress();
    const change = (await startEmailChange(anna, next)).json();
    const changeCode = await wall.mail.codeTo(next);
    await verifyEmailChange(anna, change.id, wrong(changeCode));
    await verifyEmailChange(anna, change.id, changeCode);
    // An account can be deleted only when its change of address can no longer be undone.
    wall.clock.now += undoSeconds;
    await deleteAccount(wall, Object.assign(anna, { email: next }));
    await elsewhere.send('DELETE', '/sessions/current');
    assert.deepEqual(
      since().map((line) => line.event),
      [
        'sign-in',
        'sessions-closed',
        'sessions-closed',
        'username-changed',
        'wrong-code',
        'email-changed',
        'account-deleted',
      ],
    );

    const boris = await register(wall);
    const made = await makeToken(wall, boris);
    await boris.send('DELETE', `/users/current/tokens/${made.id}`);
    await appoint(wall, boris);
    await confirm(wall, boris);
    await boris.send('DELETE', '/sessions/current');
    const raw = lines.join('');
    assert.deepEqual(
      since().map((line) => line.event),
      ['sign-in', 'token-made', 'token-ended', 'moderator-confirmed', 'sessions-closed'],
    );
    for (const secret of [boris.email, boris.ip, boris.token!, made.token]) assert.ok(!raw.includes(secret), secret);

    const counted = parseMetrics(await (await fetch(`http://${METRICS}/metrics`)).text());
    const total = (event: string) => counted[`stena_security_events_total{event="${event}"}`];
    assert.deepEqual(
      [
        'sign-in',
        'wrong-code',
        'limit',
        'sessions-closed',
        'username-changed',
        'email-changed',
        'account-deleted',
        'moderator-confirmed',
      ].map(total),
      [3, 6, 1, 3, 1, 1, 1, 1],
    );
  });
}
