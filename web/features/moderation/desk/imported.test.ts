import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDesk } from '../../../../test/kit/screen/desk.ts';
import { openScreen } from '../../../../test/kit/screen/open-screen.ts';
import { queriesIn, textOf } from '../../../../test/kit/screen/queries.ts';

test('people who were imported and have not come are listed, and the link for each is copied in one tap', async () => {
  let code = '';
  await using desk = await openDesk({
    path: '/moderation/people',
    async prepare({ seed }) {
      const boris = await seed.imported('boris_schukin');
      await seed.name(boris.id, 'Борис Щукин');
      await seed.imported('clara_k');
      ({ code } = boris);
    },
  });
  const { screen, wall } = desk;
  let copied = '';
  const clipboard = { writeText: async (text: string) => void (copied = text) };
  Object.defineProperty(screen.window.navigator, 'clipboard', { value: clipboard });
  await screen.click(screen.getByRole('link', { name: 'Не заходили' }));
  const rows = () => queriesIn(screen.getByRole('list', { name: 'Люди' })).getAllByRole('listitem');
  await screen.until(() => assert.equal(rows().length, 2));
  screen.fill(screen.getByRole('searchbox', { name: 'Начало имени' }), 'Борис');
  screen.press('Enter');
  await screen.until(() => assert.deepEqual([rows().length, /не заходил/.test(textOf(rows()[0]!))], [1, true]));
  await screen.click(queriesIn(rows()[0]!).getByRole('button', { name: 'Скопировать ссылку' }));
  await desk.toastShows('Ссылка скопирована');
  assert.ok(copied.endsWith(`/claim/${code}`), copied);
  await screen.click(screen.getByRole('link', { name: /boris_schukin/ }));
  await desk.mainShows(`/claim/${code}`);
  await using page = await openScreen(wall, '/users/boris_schukin');
  await page.until(() => assert.match(textOf(page.main().getByText(/на стене с/)), /не заходил\(а\)/));
});
