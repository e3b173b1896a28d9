import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen, type Screen } from '../../../test/kit/screen/open-screen.ts';
import { textOf } from '../../../test/kit/screen/queries.ts';
import { openWall } from '../../../test/kit/wall.ts';

const tip = 'Введите электронную почту: пришлём код для входа';

async function fromMenu(screen: Screen, name: string): Promise<void> {
  await screen.click(screen.main().getByRole('button', { name: 'Действия с записью' }));
  await screen.click(await screen.findByRole('menuitem', { name }));
}

const press = (name: string) => async (screen: Screen) =>
  screen.click(screen.main().getAllByRole('button', { name })[0]!);

type Intent = [path: string, act: (screen: Screen) => Promise<void>, purpose: string];

const intents: Record<string, Intent> = {
  like: ['/', press('Нравится'), 'Чтобы поставить «Нравится», войдите.'],
  reply: ['/', press('Ответить'), 'Чтобы ответить, войдите.'],
  'new post': [
    '/',
    async (screen) => screen.click(screen.getAllByRole('button', { name: 'Новая запись' })[0]!),
    'Чтобы опубликовать запись, войдите.',
  ],
  report: ['/', (screen) => fromMenu(screen, 'Пожаловаться'), 'Чтобы пожаловаться, войдите.'],
  follow: ['/', (screen) => fromMenu(screen, 'Следить за обсуждением'), 'Чтобы следить за обсуждением, войдите.'],
  mute: ['/', (screen) => fromMenu(screen, 'Не показывать автора'), 'Чтобы не показывать автора, войдите.'],
  'liked posts': ['/liked', press('Войти'), 'Чтобы увидеть понравившиеся записи, войдите.'],
  'own posts': ['/own/posts', press('Войти'), 'Чтобы увидеть свои записи, войдите.'],
  'own replies': ['/own/replies', press('Войти'), 'Чтобы увидеть свои ответы, войдите.'],
  notifications: ['/notifications', press('Войти'), 'Чтобы увидеть уведомления, войдите.'],
};

for (const [intent, [path, act, purpose]] of Object.entries(intents)) {
  test(`the dialog says what one signs in for: ${intent}`, async () => {
    await using wall = await openWall('sqlite');
    await wall.post(await wall.person('boris_v'), 'Запись');
    await using screen = await openScreen(wall, path);
    await screen.until(() => screen.getByRole('button', { name: 'Войти' }));
    await act(screen);
    const field = await screen.findByRole('textbox', { name: 'Электронная почта' });
    screen.dialog().getByText(purpose);
    screen.dialog().getByText(tip);
    const description = field.getAttribute('aria-describedby')!.split(' ').at(-1)!;
    const { document } = screen.window;
    assert.equal(textOf(document.getElementById(description) as unknown as Element), `${purpose}${tip}`);
  });
}

test('signing in for nothing in particular needs no reason', async () => {
  await using wall = await openWall('sqlite');
  await using screen = await openScreen(wall, '/');
  await screen.until(() => screen.banner().getByRole('button', { name: 'Войти' }));
  await screen.click(screen.banner().getByRole('button', { name: 'Войти' }));
  await screen.findByRole('textbox', { name: 'Электронная почта' });
  screen.dialog().getByText(tip);
  assert.ok(screen.dialog().queryByText(/^Чтобы/) === null);
});
