import { takePictures } from '../support/gallery.ts';
import { openPlain } from '../support/plain.ts';
import { newPerson } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test('plain pages', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.tolerate(/ERR_FAILED/);
  const ownerLink = `/owner/${await ownWall.seed.ownerCode()}`;
  const invitation = `/join/${await ownWall.seed.invitation(await newPerson(ownWall))}`;
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => delete document.documentElement.dataset['scripts']);
  });
  for (const [name, path] of Object.entries({ 'plain-owner': ownerLink, 'plain-join': invitation })) {
    await page.goto(ownWall.url + path);
    await takePictures(page, name);
  }
  const { own, other } = await openPlain(context, ownWall);
  await ownWall.seed.invited(await ownWall.seed.person('boris_petrov'), await ownWall.seed.person('anna_petrova'));
  for (const [name, path] of Object.entries({
    'plain-new': '/new',
    'plain-reply': `/posts/${other}/reply`,
    'plain-actions': `/posts/${other}/actions`,
    'plain-own-actions': `/posts/${own}/actions`,
    'plain-notifications': '/notifications',
    'plain-settings': '/settings',
    'plain-devices': '/settings/devices',
    'plain-moderation': '/moderation',
    'plain-people': '/moderation/people',
    'plain-person': '/moderation/people/anna_petrova',
    'plain-journal': '/moderation/journal',
    'plain-keep': '/keep',
  })) {
    await page.goto(ownWall.url + path);
    await expect(page.locator('.plain')).toBeVisible();
    await takePictures(page, name);
  }
});
