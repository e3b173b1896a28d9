import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { WallAdmin } from '#contract/wall-admin.ts';
import { engines } from '../../test/kit/engines.ts';
import { freePort } from '../../test/kit/free-port.ts';
import { enter } from '../../test/kit/journeys/enter.ts';
import { type OpenedStory, openStory } from '../../test/kit/journeys/open-story.ts';
import { parseMetrics } from '../../test/kit/prometheus.ts';
import { newAddress } from '../../test/kit/sign-in.ts';
import { signedIn } from '../../test/kit/signed-in.ts';
import { StorageUnavailable } from '../db/database.ts';
import { countLetters } from '../mail/mail-state.ts';
import { queueMail } from '../mail/outbox.ts';
import { makeSecrets } from '../secrets.ts';
import { recordBackup, recordCopyCheck } from './backups.ts';
import { wallJobs } from './jobs/wall-jobs.ts';

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Makes the disk look as if this many percent were used. */
function useDisk(t: TestContext, percent: number): void {
  const found = { bavail: 1_000 - percent * 10, blocks: 1_000, bsize: 100_000_000 };
  t.mock.method(fs, 'statfs', async () => found);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

/** Queues letters that have waited for `seconds`. Nobody tries to send them in this test. */
const makeWait = ({ db }: OpenedStory, count: number, seconds: number): Promise<void> =>
  db.tx(async (tx) => {
    for (let i = 0; i < count; i += 1) {
      const now = nowSeconds();
      const mail = { operationId: null, recipient: newAddress(), sealed: '', now: now + 60, giveUpAt: now - seconds };
      await queueMail(tx, { ...mail, giveUpAt: mail.giveUpAt + 24 * 3_600 });
    }
  });

const { runs } = wallJobs({
  db: undefined as never,
  secrets: makeSecrets('one secret of thirty-two characters'),
  log: pino({ level: 'silent' }),
  now: nowSeconds,
});

/** Marks jobs as failed, by default all of them. */
const failJobs = ({ db }: OpenedStory, names: Iterable<string> = runs.keys()): Promise<void> =>
  db.tx(async (tx) => {
    const failed = { payload: 'null', run_at: nowSeconds() + 3_000, failures: 2 };
    for (const name of names) {
      await tx.db
        .insertInto('jobs')
        .values({ name, key: '', ...failed })
        .onConflict((conflict) => conflict.columns(['name', 'key']).doUpdateSet(failed))
        .execute();
    }
  });

for (const engine of engines) {
  test(`owners and metrics have the same facts about the wall, on ${engine}`, async (t) => {
    useDisk(t, 40);
    const METRICS = `127.0.0.1:${await freePort()}`;
    await using wall = await openStory(engine, { METRICS, LOG_LEVEL: 'silent', LETTERS_PER_DAY: '50' });
    const { seed } = wall.world;
    const id = await seed.person('keeper');
    await seed.appoint({ id, name: 'keeper' }, 'owner');
    const { token } = await signedIn(wall.db, id);
    const both = async () => {
      const asked = await fetch(`${wall.url}/api/v1/keep`, { headers: { authorization: `Bearer ${token}` } });
      const { health, mail } = (await asked.json()) as WallAdmin;
      const metrics = parseMetrics(await (await fetch(`http://${METRICS}/metrics`)).text());
      const failing = [...runs.keys()].flatMap((name) => {
        const count = metrics[`stena_jobs_failing{job="${name}"}`];
        return count === 0 ? [] : [{ name, count }];
      });
      assert.deepEqual(health.jobs_failing, failing);
      assert.deepEqual(health.disk, {
        free: metrics['stena_disk_free_bytes'],
        size: metrics['stena_disk_size_bytes'],
      });
      assert.equal(health.mails_waiting.count, metrics['stena_outbox_waiting']);
      assert.ok(Math.abs(health.mails_waiting.oldest_seconds - metrics['stena_outbox_oldest_seconds']!) <= 5);
      assert.equal(Number(health.writes.are_failing), metrics['stena_writes_failing']);
      assert.equal(health.writes.failed, metrics['stena_failed_writes_total']);
      assert.equal(health.last_backup ?? 0, metrics['stena_last_backup_timestamp_seconds']);
      assert.equal(health.copy_check?.at ?? 0, metrics['stena_copy_check_timestamp_seconds']);
      assert.equal(Number(mail.state === 'refused'), metrics['stena_mail_refused']);
      assert.equal(Number(mail.held_until !== null), metrics['stena_mail_held']);
      assert.deepEqual(mail.today, {
        letters: metrics['stena_mail_letters'],
        limit: metrics['stena_mail_letters_limit'],
        for_codes: 13,
      });
      return { health, mail };
    };
    const { health: before } = await both();
    assert.deepEqual(before.disk, { free: 60_000_000_000, size: 100_000_000_000 });
    assert.equal(before.mails_waiting.count, 0);

    await makeWait(wall, 3, 400);
    await failJobs(wall, ['send-digests', 'end-pin']);
    const at = nowSeconds();
    const check = { at, posts: 7, differences: 0, failure: null, shrunk: null };
    for (const statement of [recordBackup(at), recordCopyCheck(check)])
      await wall.db.tx(({ db }) => sql.raw(statement).execute(db));
    const { health } = await both();
    assert.deepEqual(health.jobs_failing, [
      { name: 'end-pin', count: 1 },
      { name: 'send-digests', count: 1 },
    ]);
    assert.equal(health.mails_waiting.count, 3);
    assert.ok(health.mails_waiting.oldest_seconds >= 400);
    assert.equal(health.last_backup, at);

    const sendTrial = async () => {
      const headers = { authorization: `Bearer ${token}` };
      const sent = await fetch(`${wall.url}/api/v1/keep/mail`, { method: 'POST', headers });
      assert.equal(sent.status, 200);
      return (await both()).mail;
    };
    const { today } = await sendTrial();
    wall.mail.refuse(() => 550);
    assert.equal((await sendTrial()).state, 'refused');
    wall.mail.refuse(undefined);
    wall.mail.judge(() => '550 5.4.5 Daily user sending quota exceeded.');
    const held = await sendTrial();
    assert.ok(held.held_until! > nowSeconds());
    assert.deepEqual(held.today, today, 'only what was taken counts');
    assert.ok(today!.letters > 0);

    wall.db.writes.note(new StorageUnavailable('the disk is full'));
    const { health: failing } = await both();
    assert.deepEqual(failing.writes, { are_failing: true, failed: 1, reason: 'the disk is full' });
    assert.equal(failing.jobs_failing.length, runs.size);
  });
}

const variables = /[A-Z]{3,}_[A-Z]+|METRICS/;

test('the page of health says what is wrong and what to do, in words, and names of settings only to the installer', async (t) => {
  useDisk(t, 84);
  await using wall = await openStory('sqlite', { LOG_LEVEL: 'silent' });
  const owner = await enter(wall, 'keeper', 'owner');
  const facts = async () => {
    await owner.open('/keep?part=health');
    const list = [...owner.page().document.querySelectorAll('main li')].filter((item) => !item.closest('details'));
    const words = list.map((item) => item.textContent);
    for (const text of words) assert.doesNotMatch(text, variables);
    return (name: string) => words.find((text) => text.includes(name))!;
  };
  const young = await facts();
  assert.match(young('Почта'), /обратите внимание.*подключена, но ещё не проверена/);
  assert.match(young('Письма в очереди'), /в порядке.*Ни одно не ждёт/);
  assert.match(young('Место на диске'), /в порядке.*Свободно 16 из 100 ГБ/);
  assert.match(young('Сохранение'), /в порядке/);
  assert.match(young('Дела по расписанию'), /в порядке/);
  assert.match(young('Последняя копия'), /обратите внимание.*Ни одной.*Попросите того, кто ставил стену/);
  await owner.open('/keep');
  assert.match(await owner.text(), /Почта ?Ещё не проверена ?Здоровье ?2 замечания ?Жизнь стены/);

  useDisk(t, 85);
  await makeWait(wall, 2, 7_000);
  await failJobs(wall);
  const at = nowSeconds();
  await wall.db.tx(({ db }) => sql.raw(recordBackup(at)).execute(db));
  const sick = await facts();
  assert.match(sick('Место на диске'), /обратите внимание.*Занято 85 %\. Попросите/);
  assert.match(sick('Письма в очереди'), /обратите внимание.*2 письма, старшее ждёт 2 ч\. Стена отправит их/);
  assert.match(sick('Дела по расписанию'), /обратите внимание.*Не выходит: .*письма о новом.*посмотреть почему/);
  assert.doesNotMatch(sick('Дела по расписанию'), /[a-z]-[a-z]|другое/, 'each job has a name in Russian');
  assert.match(sick('Последняя копия'), /в порядке/);
  assert.match(owner.page().document.querySelector('details')!.textContent, /METRICS.*send-digests/s);

  wall.db.writes.note(new StorageUnavailable('the disk is full'));
  const stopped = await facts();
  assert.match(stopped('Сохранение'), /обратите внимание.*ничего не сохраняется: читать можно, писать нельзя/);
  assert.match(stopped('Дела по расписанию'), /Ждут, пока ничего не сохраняется/);
  assert.match(owner.page().document.querySelector('details')!.textContent, /не сохраняется: the disk is full/);
});

test('the page of mail says what is known at once, and after a trial what has changed', async () => {
  await using wall = await openStory('sqlite', { MAIL_FROM: 'wall@stena.invalid' });
  const owner = await enter(wall, 'keeper', 'owner');
  const reads = async (text: RegExp) => {
    const shown = await owner.text();
    assert.match(shown, text);
    assert.doesNotMatch(shown.split('Для того, кто ставил стену')[0]!, variables);
  };
  await owner.open('/keep?part=mail');
  await reads(/Почта подключена, но ещё не проверена\. Отправьте себе письмо/);
  await owner.send('Отправить мне письмо');
  await reads(
    /Письмо ушло.*Письма уходят\. Последнее ушло сейчас.*не попало ли в спам.*Для того, кто ставил стену.*MX/s,
  );
  wall.mail.refuse((address) => (address.startsWith('keeper') ? 550 : undefined));
  await owner.send('Отправить мне письмо');
  await reads(/Письмо не ушло.*Письма уходят\..*Письма вам сервер не принял/s);
  wall.mail.refuse(() => 550);
  await owner.send('Отправить мне письмо');
  await reads(/Письмо не ушло.*Письма не уходят\. Почтовый сервер не берёт писем от имени этой стены.*550 refused/s);
  await owner.open('/keep?part=mail');
  await reads(/Письма не уходят\. .*Ответ почтового сервера: 550 refused/s);
});

test('owners read how many letters have left today, and why the mail is held', async () => {
  await using wall = await openStory('sqlite', { MAIL_FROM: 'wall@stena.invalid', LETTERS_PER_DAY: '40' });
  const owner = await enter(wall, 'keeper', 'owner');
  const reads = async (part: string, text: RegExp) => {
    await owner.open(`/keep${part}`);
    assert.match(await owner.text(), text);
  };
  const leave = (count: number) => wall.db.tx((tx) => countLetters(tx, count, nowSeconds()));
  await owner.open('/keep?part=mail');
  await owner.send('Отправить мне письмо');
  await reads('?part=mail', /Письма уходят\. Последнее ушло .+\. Сегодня \d+ из 40\.\s*Отправить.*LETTERS_PER_DAY/s);
  await leave(30);
  await reads('?part=mail', /Сегодня 3\d из 40\. Остальные места — для кодов, другие письма ждут\./);
  await owner.send('Отправить мне письмо');
  const unsent = await owner.text();
  assert.match(unsent, /Письмо не ушло.*не отправлено: сейчас уходят только коды/s);
  assert.doesNotMatch(unsent, /сервер не принял/);
  await makeWait(wall, 2, 0);
  await reads('?part=health', /Письма в очереди: в порядке\s*2 письма: уйдут, когда освободится место\./);
  await leave(10);
  await reads('', /Почта ?На сегодня писем больше нет/);
  await reads('?part=health', /Почта: обратите внимание\s*Письма уходят\..*Больше писем почта не берёт/s);

  await leave(-35);
  wall.mail.judge(() => '554 5.7.1 Message rejected under suspicion of SPAM');
  await owner.open('/keep?part=mail');
  await owner.send('Отправить мне письмо');
  const held =
    /Письма придержаны\. Почтовый сервер ответил, что писем слишком много или что они похожи на спам\..* ещё (1 ч|\d+ мин)\. уходит только один код в десять минут\. Последняя попытка: .+\. Сегодня \d+ из 40\./;
  for (const part of ['?part=mail', '?part=health']) {
    await reads(part, held);
    assert.match(await owner.text(), /Ответ почтового сервера: 554 5\.7\.1 Message rejected/);
  }
  await reads('', /Почта ?Письма придержаны, ещё (1 ч|\d+ мин)\./);
});

test('without a mail server the page of mail says whom to ask, and names settings only to the installer', async () => {
  await using wall = await openStory('sqlite', { SMTP_URL: '' });
  const owner = await enter(wall, 'keeper', 'owner');
  await owner.open('/keep?part=mail');
  const [before, after] = (await owner.text()).split('Для того, кто ставил стену');
  assert.match(before!, /Почта ещё не подключена\. Попросите об этом того, кто ставил стену/);
  assert.doesNotMatch(before!, variables);
  assert.match(after!, /SMTP_URL/);
  assert.equal(owner.page().document.querySelector('main form button')?.textContent, undefined, 'nothing to try');
});
