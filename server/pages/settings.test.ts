import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admin } from '../../test/kit/admin.ts';
import { enter } from '../../test/kit/journeys/enter.ts';
import { type OpenedStory, openStory } from '../../test/kit/journeys/open-story.ts';
import { wordsOf } from '../../test/kit/journeys/find.ts';
import { wrong } from '../../test/kit/sign-in.ts';
import { engines } from '../../test/kit/engines.ts';
import { openTextBrowser, type TextBrowser } from '../../test/kit/journeys/text-browser.ts';
import { reads } from '../../test/kit/journeys/act.ts';

test('settings show the data of the account and link to pages with their names', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall, 'anna_k', 'owner');
  for (const [label, path, title] of [
    ['Электронная почта anna_k@example.org', '/settings/account/email', 'Электронная почта'],
    ['Имя пользователя anna_k', '/settings/account/username', 'Имя пользователя'],
    ['Устройства', '/settings/devices', 'Устройства'],
    ['Уведомления и письма', '/settings/notifications', 'Уведомления и письма'],
    ['Кого и что не показывать', '/settings/muted', 'Кого и что не показывать'],
    ['Данные и программы', '/settings/data-and-programs', 'Данные и программы'],
    ['Хозяйство', '/keep', 'Хозяйство'],
  ]) {
    await browser.open('/settings');
    const link = browser.page().document.querySelector(`main a[href="${path}"]`)!;
    assert.equal(wordsOf(link).replaceAll(' ', ''), label!.replaceAll(' ', ''));
    await browser.open(path!);
    assert.equal(browser.page().document.title, `${title} - Стена`);
  }
});

test('what the specification names comes first in the settings; keepers read what waits for them', async () => {
  await using wall = await openStory('sqlite');
  const [person, owner] = [await enter(wall, 'anna_k'), await enter(wall, 'fedor', 'owner')];
  const rows = async (browser: TextBrowser, path = '/settings') => {
    await browser.open(path);
    return [...browser.page().document.querySelectorAll('main :is(a:has(span), button[type=submit])')].map(wordsOf);
  };
  const own = ['Электронная почта', 'Имя пользователя', 'Устройства', 'Выйти'];
  const others = [
    'Моя страница Записи, понравившиеся, сохранённое',
    'Люди Кто пишет на этой стене',
    'Профиль',
    'Уведомления и письма',
    'Кого и что не показывать',
    'Приглашения',
    'Данные и программы',
  ];
  const names = (all: string[]) => all.map((words) => words.replace(/ (anna_k|fedor)(@.*)?$/, ''));
  assert.deepEqual(names(await rows(person)), [...own, ...others]);
  assert.deepEqual(names(await rows(owner)), [...own, 'Модерация Записей с жалобами: 1', 'Хозяйство', ...others]);
  await wall.world.seed.act('dismiss', wall.world.reportedId);
  assert.ok((await rows(owner)).includes('Модерация Ничего не ждёт'));

  const ofData = {
    'Мои данные Что и как долго хранит стена': 'Мои данные',
    'Токены для программ Чтобы программа читала и писала за вас': 'Токены для программ',
    'Удалить учётную запись Вместе с записями и ответами': 'Удаление учётной записи',
  };
  const download = 'Скачать мои данные Один файл со всем, что стена хранит о вас';
  for (const [name, title] of Object.entries(ofData)) {
    assert.deepEqual(await rows(person, '/settings/data-and-programs'), [download, ...Object.keys(ofData)]);
    await person.follow(name);
    assert.equal(person.page().document.title, `${title} - Стена`);
  }
});

test('the page of kept data names it with numbers, dates and terms; the first session is the current one', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  await reads(browser, '/settings/data', /Прежние имена ?нет ?по ним.*Хранится: 30 дней после смены/);
  await browser.follow('Показать остальное');
  assert.match(await browser.text(), /Записи ?нет ?текст, время.*Хранится: пока вы их не удалите/);
  assert.match(await browser.text(), /Вход и защита.*Сеансы ?1 ?браузер, система.*Хранится: 90 дней без посещений/);
  assert.match(await browser.text(), /Что стирается само.*Счётчики запросов ?сколько раз/);
  const firefox = { userAgent: 'Firefox', userAgentVersion: '145.0.1', os: 'Ubuntu 24.04' };
  await wall.world.seed.session(browser.id, firefox);
  await browser.open('/settings/devices');
  assert.match(
    await browser.text(),
    /Текущий сеанс ?Chrome 142 ?Linux · Сейчас ?Вход .*Другие сеансы ?Firefox 145 ?Ubuntu 24\.04 · Активность/,
  );
});

test('a face is one of the grid, another one that is typed, or none', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  const chosen = async () => {
    await browser.open('/settings/account/profile');
    const value = (of: string) => browser.page().document.querySelector(of)!.getAttribute('value');
    const { face } = await wall.world.seed.choicesOf(browser.id);
    return [face, value('[name=face][checked]'), value('[name=face_typed]')];
  };
  assert.deepEqual(await chosen(), [null, '', '']);
  assert.equal(browser.page().document.querySelectorAll('[type=radio][name=face][aria-label]').length, 24);
  await browser.send('Сохранить', { '🦊': true });
  assert.deepEqual(await chosen(), ['🦊', '🦊', '']);
  await browser.send('Сохранить', { Другой: true, 'Любой эмодзи': '🪿' });
  assert.deepEqual(await chosen(), ['🪿', 'typed', '🪿']);
  await browser.send('Сохранить', { Другой: true, 'Любой эмодзи': 'гусь' });
  assert.match(await browser.text(), /Значок — это один эмодзи/);
  assert.equal(browser.valueOf('face_typed'), 'гусь');
  await browser.send('Сохранить', { '🦉': true });
  assert.deepEqual(await chosen(), ['🦉', '🦉', '']);
  await browser.send('Сохранить', { 'Без значка: первая буква имени': true });
  assert.deepEqual(await chosen(), [null, '', '']);
});

test('without scripts the settings of notifications say that a device needs them', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  await reads(browser, '/settings/notifications', /Чтобы уведомления приходили на это устройство, нужны скрипты/);
});

test('a deletion names its consequences; a wrong code deletes nothing, and a second one has to wait', async () => {
  await using wall = await openStory('sqlite', { CODE_RESEND_SECONDS: '60' });
  const browser = await enter(wall);
  await browser.open('/settings/account/deletion');
  for (const consequence of ['исчезнут со стены', 'больше никто не получит', 'Все сеансы', 'нельзя'])
    assert.ok((await browser.text()).includes(consequence), consequence);
  await browser.send('Получить код');
  await browser.send('Удалить учётную запись', {
    'Код из письма': wrong(await wall.mail.codeTo('anna_k@example.org')),
  });
  assert.match(await browser.text(), /Неверный код\. Проверьте его и введите ещё раз\./);
  await browser.follow('Вернуться');
  await browser.send('Получить код');
  assert.match(await browser.text(), /Повторить можно через \d+ (сек|мин)\./);
  assert.equal((await wall.world.whoIs('anna_k@example.org')).id, browser.id);
});

test('a token whose name is refused is named again, and says when it was used', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  const order = async (name: string) => {
    await browser.open('/settings/programs');
    await browser.send('Получить код', { Название: name, 'Читать и писать': true });
    const code = await wall.mail.codeTo('anna_k@example.org');
    await browser.send('Создать токен', { 'Код из письма': code });
    return browser.text();
  };
  assert.match(await order('\u2800'), /Назовите токен иначе/);
  const [token] = /stena_[\w-]{43}/.exec(await order('бот погоды'))!;
  assert.match(await browser.text(), /бот погоды ?Читать и писать · создан.*Ещё не использован/);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ text: 'Завтра дождь' });
  assert.equal((await fetch(`${wall.url}/api/v1/posts`, { method: 'POST', headers, body })).status, 201);
  await reads(browser, '/settings/programs', /Использован сейчас|Использован только что/);
  assert.ok(!browser.page().body.includes(token));
});

test('invitations say what is missing before a person may invite, and when there are none left', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall);
  await admin(wall.db, 'registration', 'members', '--reason', 'свои');
  await browser.open('/settings/invitations');
  assert.match(await browser.text(), /Приглашают те, кто на стене не меньше 14 дн\. .* написать записей: 5\./);
  assert.match(await browser.text(), /Ссылок пока нет/);
  assert.ok(!browser.page().document.querySelector('main form'));
  await wall.db.tx((tx) => tx.db.updateTable('users').set({ posts_count: 7 }).where('id', '=', browser.id).execute());
  await browser.open('/settings/invitations');
  for (const left of [3, 2, 1]) {
    assert.match(await browser.text(), new RegExp(`Сейчас можно сделать ссылок: ${left}\\.`));
    await browser.send('Сделать ссылку');
  }
  assert.match(await browser.text(), /Ссылки закончились: в месяц их 3\. Следующая — через 30 дн\./);
  assert.equal(browser.page().document.querySelectorAll('main li').length, 3);
  await browser.send('Отозвать');
  assert.equal(browser.page().document.querySelectorAll('main li').length, 2);
  assert.doesNotMatch(await browser.text(), /Сделать ссылку/);
});

test('the first steps of a wall are gone when everything is done', async () => {
  await using wall = await openStory('sqlite');
  const browser = await enter(wall, 'anna_k', 'owner');
  await wall.world.seed.posts([{ by: browser.id, text: 'Первая' }]);
  await wall.world.seed.invitation(browser);
  await reads(browser, '/keep', /До первых людей осталось два шага.*Сделано: Первая запись есть/);
  await browser.open('/keep?text=rules');
  await browser.send('Сохранить');
  await reads(browser, '/keep', /До первых людей остался один шаг/);
  await browser.open('/keep?part=about');
  await browser.send('Сохранить', { 'Как называется': 'Наш двор' });
  await reads(browser, '/keep', /Тексты/);
  assert.doesNotMatch(await browser.text(), /До первых людей/);
});

/** Changes settings of the wall as another tab of the owner does. */
async function act({ url, world }: OpenedStory, ownerId: number, body: object, path = 'settings'): Promise<void> {
  const { token } = await world.seed.session(ownerId);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1/keep/${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
  assert.equal(response.status, 200);
}

const members = 'Участники: без входа видны только вход и тексты о стене';

for (const engine of engines) {
  test(`without scripts: an old page of settings takes back nothing that has changed since on ${engine}`, async () => {
    await using wall = await openStory(engine);
    const [owner, oldTab] = [await enter(wall, 'anna_k', 'owner'), openTextBrowser(wall.url)];
    oldTab.cookies.set('session', owner.cookies.get('session')!);
    await oldTab.open('/keep?part=about');
    await owner.open('/keep?part=people');
    await owner.send('Сохранить', { [members]: true, Никто: true });
    const valueOf = (name: string) => owner.formOf('Сохранить').get(name);
    const isClosed = async () => {
      await owner.open('/keep?part=people');
      assert.deepEqual([valueOf('readers'), valueOf('registration')], ['members', 'closed']);
      assert.equal((await fetch(`${wall.url}/api/v1/posts`)).status, 401);
    };
    await isClosed();

    await oldTab.send('Сохранить', { 'Как называется': 'Наш двор' });
    await isClosed();
    await owner.open('/keep?part=about');
    assert.equal(valueOf('name'), 'Наш двор');

    // A form that is shown again after an error still changes no other setting.
    const links = 'Сколько ссылок он делает за 30 дней';
    const open = { registration: 'open', readers: 'everyone' };
    const put = (body: object) => act(wall, owner.id, body);
    await put(open);
    await oldTab.open('/keep?part=people');
    await put({ registration: 'closed', readers: 'members' });
    await oldTab.send('Сохранить', { [links]: 'много' });
    assert.match(await oldTab.text(), /От 1 до 100/);
    await oldTab.send('Сохранить', { [links]: '2' });
    await isClosed();
    assert.equal(valueOf('invite_links'), '2');

    const forged = owner.formOf('Сохранить');
    forged.set('readers', 'nobody');
    await owner.post(forged);
    await reads(owner, '/keep?part=people', /Выберите один из ответов/);
    forged.delete('readers');
    forged.set('shown', 'null');
    await owner.post(forged);
    await isClosed();
  });
}

test('rules that are one list are edited as lines, and no word of other rules is lost', async () => {
  await using wall = await openStory('sqlite');
  const owner = await enter(wall, 'anna_k', 'owner');
  const area = 'Текст с разметкой Markdown';
  const open = () => owner.open('/keep?text=rules');
  const lines = () => [...owner.page().document.querySelectorAll('main li textarea')].map((one) => one.textContent);
  await open();
  assert.deepEqual(lines(), []);
  await owner.send('Сохранить', {
    [area]: '# Наш порядок\n\n* Не шумим *ночью*.\n* Убираем за собой.\n',
  });
  await open();
  assert.deepEqual(lines(), []);
  await owner.send('Сохранить', {
    [area]: '# Наш порядок\n\n- Не шумим *ночью*.\n\n- Убираем за собой.\n\nСпорное решает собрание.',
  });
  await open();
  assert.deepEqual(lines(), ['Не шумим *ночью*.', 'Убираем за собой.', '']);
  assert.equal(owner.page().document.querySelector('details')!.hasAttribute('open'), false);
  const changed = owner.formOf('Сохранить', { 'Своё правило': 'Здороваемся.' });
  changed.set('rule2', 'Убираем за собой\nи детьми.');
  await owner.post(changed);
  await reads(owner, '/keep', /Правила написаны здесь/);
  await open();
  const saved = '- Не шумим *ночью*.\n- Убираем за собой и детьми.\n- Здороваемся.\n\nСпорное решает собрание.\n';
  assert.equal(owner.valueOf('text'), `# Наш порядок\n\n${saved}`);
  const without = owner.formOf('Сохранить');
  without.delete('with1');
  await owner.post(without);
  await open();
  assert.deepEqual(lines(), ['Убираем за собой и детьми.', 'Здороваемся.', '']);

  for (const text of [
    'Без заголовка.',
    '# Правила\n\n1. Раз.\n3. Три.\n',
    '# Правила\n\n1. Раз.\n   - и ещё\n',
    '# Правила\n\n- Раз\nи ещё слово\n',
    '# Правила\n\n- Раз.\n\n## Ещё\n',
    '# Правила\n\n- Раз.\n\nКонец.\n\nИ ещё.\n',
  ]) {
    await act(wall, owner.id, { markdown: text }, 'texts/rules');
    await open();
    assert.deepEqual(lines(), [], text);
    assert.equal(owner.valueOf('text'), text);
  }
  await act(wall, owner.id, { markdown: '# Правила\n\n1. Раз.\n2. Два.\n' }, 'texts/rules');
  await open();
  await owner.send('Показать, как будет');
  assert.ok(owner.page().document.querySelector('details')!.hasAttribute('open'));
});

test('without scripts: a saved text of the wall leads back to its place', async () => {
  await using wall = await openStory('sqlite');
  const owner = await enter(wall, 'anna_k', 'owner');
  await owner.open('/keep?text=rules');
  await owner.send('Показать, как будет', { 'Текст с разметкой Markdown': '# Правила\n\nБез ругани.' });
  assert.match(owner.page().body, /<p>Без ругани\.<\/p>/);
  await owner.send('Сохранить');
  const { url, document } = owner.page();
  assert.equal(url.hash, '#text-rules');
  assert.equal(document.querySelector(url.hash)!.textContent, 'Правила Правила написаны здесь.');
  assert.match(await fetch(`${wall.url}/rules`).then((response) => response.text()), /Без ругани/);

  // HTML that a forged form contains is not shown as the preview of a text.
  await owner.open('/keep?text=rules');
  const forged = owner.formOf('Сохранить', { 'Текст с разметкой Markdown': ' ' });
  forged.set('html', '<b id="forged">да</b>');
  await owner.post(forged);
  await reads(owner, '/keep?text=rules', /Введите текст/);
  assert.doesNotMatch(owner.page().body, /id="forged"/);
});
