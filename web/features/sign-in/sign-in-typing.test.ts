import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSignIn } from '../../../test/kit/screen/account.ts';
import { openOwnPage } from '../../../test/kit/screen/seeded.ts';

test('what is typed while the code of sign-in arrives is kept', async () => {
  await using page = await openOwnPage('/', { asVisitor: true });
  const { screen } = page;
  const field = await openSignIn(screen);
  screen.fill(field, 'anna@example.');
  // The first changes of the document show the step of the code that has arrived: the next letter comes right after them.
  const isTyped = new Promise<void>((done) => {
    const observer = new screen.window.MutationObserver(() => {
      observer.disconnect();
      screen.fill(field, `${field.value}o`);
      done();
    });
    observer.observe(screen.window.document.body, { subtree: true, childList: true, attributes: true });
  });
  await isTyped;
  await screen.until(() => assert.equal(field.value, 'anna@example.o'));
});
