import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admin } from '../../test/kit/admin.ts';
import { openPlain } from '../../test/kit/plain/open-plain.ts';
import { openTextBrowser } from '../../test/kit/plain/text-browser.ts';

test('without scripts: an owner says who may come, a member invites, somebody comes with the code', async () => {
  await using wall = await openPlain('sqlite');
  const browser = openTextBrowser(wall.url);
  const id = await wall.world.seed.person('anna_k');
  browser.cookies.set('session', (await wall.world.seed.session(id)).cookie);
  await wall.world.seed.appoint({ id, name: 'anna_k' }, 'owner');
  await browser.open('/keep?order=1');
  await browser.send('Сохранить', { 'Сколько записей у него должно быть': 'много' });
  assert.match(await browser.text(), /Нужны числа/);
  await browser.send('Сохранить', {
    'По приглашениям участников': true,
    'Через сколько дней участник приглашает': '0',
    'Сколько записей у него должно быть': '2',
    'Сколько ссылок он делает за 30 дней': '1',
  });
  await browser.open('/keep');
  assert.match(await browser.text(), /По приглашениям участников/);
  await wall.db.tx(({ db }) => db.updateTable('users').set({ role: null }).where('id', '=', id).execute());

  await browser.open('/settings/invitations');
  assert.match(await browser.text(), /записей не меньше 2\. Вам осталось написать записей: 2/);
  await wall.db.tx(({ db }) => db.updateTable('users').set({ posts_count: 2 }).where('id', '=', id).execute());
  await browser.open('/settings/invitations');
  await browser.send('Сделать ссылку');
  assert.match(await browser.text(), /Ссылка готова[^]*в месяц их 1/);
  const [, code] = /\/join\/(\w{5}-\w{5})/.exec(await browser.text())!;

  const visitor = openTextBrowser(wall.url);
  await visitor.open('/sign-in');
  assert.match(await visitor.text(), /Регистрируют по приглашениям участников/);
  await visitor.send('Получить код', { 'Электронная почта': wall.email, 'Код приглашения': code! });
  assert.match(await visitor.text(), /код, который вам дал участник стены/);
  assert.equal(visitor.valueOf('invite'), code);
  await visitor.send('Продолжить');
  await visitor.send('Продолжить', { 'Код из письма': await wall.mail.codeTo(wall.email) });
  const come = await wall.world.whoIs(wall.email);
  await browser.open('/settings/invitations');
  assert.match(await browser.text(), new RegExp(`по ней пришёл\\(а\\) ${come.name}`));

  await admin(wall.db, 'registration', 'closed', '--reason', 'хватит');
  const late = openTextBrowser(wall.url);
  await late.open('/sign-in');
  assert.match(await late.text(), /Новых учётных записей здесь сейчас не заводят/);
  await late.send('Получить код', { 'Электронная почта': 'late@example.org' });
  assert.match(await late.text(), /не найден/);
  assert.equal(await late.path(), '/sign-in');
});
