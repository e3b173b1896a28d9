import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlain } from '../../test/kit/plain/open-plain.ts';
import { openTextBrowser } from '../../test/kit/plain/text-browser.ts';

test('a link leads a visitor to the account, and somebody who is signed in to another one instead of theirs', async () => {
  await using wall = await openPlain('sqlite');
  const { seed, whoIs } = wall.world;
  const [boris, clara] = [await seed.imported('boris_schukin'), await seed.imported('clara_k')];
  await seed.name(boris.id, 'Борис Щукин');
  const browser = openTextBrowser(wall.url);
  await browser.open(`/claim/${boris.code}`);
  assert.match(await browser.text(), /0 записей и 0 ответов человека по имени Борис Щукин/);
  await browser.send('Получить код', { 'Электронная почта': 'не адрес' });
  assert.match(await browser.text(), /Введите корректный email/);
  await browser.send('Получить код', { 'Электронная почта': wall.email });
  await browser.send('Продолжить', { 'Код из письма': await wall.mail.codeTo(wall.email) });
  assert.equal(await browser.path(), `/claim/${boris.code}`);
  assert.match(await browser.text(), /Теперь это ваше/);
  assert.equal((await whoIs(wall.email)).id, boris.id);

  await browser.open(`/claim/${clara.code}`);
  assert.match(await browser.text(), /Вы вошли как boris_schukin/);
  await browser.send('Это я, забрать');
  assert.match(await browser.text(), /Готово[^]*Это ваша страница: \/users\/clara_k/);
  assert.equal((await whoIs(wall.email)).id, clara.id);

  const late = openTextBrowser(wall.url);
  await late.open(`/claim/${clara.code}`);
  assert.match(await late.text(), /По этой ссылке уже кто-то пришёл/);
  await late.open(`/claim/${clara.code}x`);
  assert.equal(late.page().status, 404);
});
