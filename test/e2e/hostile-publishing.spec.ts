import type { Page } from '@playwright/test';
import { normalizePostText } from '#contract/text.ts';
import { reloadPage } from './support/app.ts';
import { scrollToPost, seenPosts } from './support/feed.ts';
import { asShown, hostileTexts } from './support/hostile.ts';
import { nothingMayExecute } from './support/nothing-may-execute.ts';
import { expect, test } from './support/test.ts';
import { choice, choose, signInNewPerson, newPostButton, publish, textField } from './support/writing.ts';

nothingMayExecute();

test('two hundred hostile texts sent to the API appear in the feed as text', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/400/);
  await signInNewPerson(page, ownWall);
  const statuses = await publishAll(page, hostileTexts);
  const judged = hostileTexts.map((text) => normalizePostText(text));
  expect(statuses).toEqual(judged.map(({ ok }) => (ok ? 201 : 400)));

  const stored = judged.flatMap((text) => (text.ok ? [text.text] : []));
  await reloadPage(page);
  await scrollToPost(page, stored.length);
  expect((await seenPosts(page)).map(([, text]) => text)).toEqual(stored.map(asShown).toReversed());
});

test('hostile texts published, quoted and edited in the app appear as text', async ({ page, ownWall }) => {
  const [script, image] = ['<script>pwned()</script>', '"><img src=x onerror=pwned()>'];
  await signInNewPerson(page, ownWall);
  await publish(page, script);
  await page.getByRole('article').getByRole('button', { name: 'Ответить', exact: true }).click();
  await expect(page.getByRole('dialog').locator('blockquote')).toContainText(script);
  await page.keyboard.press('Escape');
  await choose(page, script, /Изменить/);
  await expect(textField(page)).toHaveValue(script);
  await textField(page).fill(image);
  await choice(page, 'Сохранить').click();
  await expect(page.getByRole('article')).toContainText(image);
  await newPostButton(page).click();
  await textField(page).fill(image);
  await reloadPage(page);
  await newPostButton(page).click();
  await expect(textField(page)).toHaveValue(image);
});

/** Calls the API as the signed-in person, one request after another. */
function publishAll(page: Page, texts: string[]): Promise<number[]> {
  return page.evaluate(async (texts) => {
    const send = (method: string, path: string, body: object, token = '') =>
      fetch(`/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      });
    const clientToken = localStorage.getItem('client-token');
    const { accessToken } = await (await send('PATCH', '/sessions/current', { clientToken })).json();
    const statuses: number[] = [];
    for (const text of texts) statuses.push((await send('POST', '/posts', { text }, accessToken.token)).status);
    return statuses;
  }, texts);
}
