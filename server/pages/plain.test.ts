import { test } from 'node:test';
import { engines } from '../../test/kit/engines.ts';
import { plainSteps } from '../../test/kit/plain/actions.ts';
import { openPlain } from '../../test/kit/plain/open-plain.ts';
import { openTextBrowser } from '../../test/kit/plain/text-browser.ts';

for (const engine of engines) {
  test(`a person does everything by links and forms on ${engine}`, async () => {
    await using wall = await openPlain(engine);
    for (const { name, run } of plainSteps(openTextBrowser(wall.url), wall.world)) {
      await run().catch((error: Error) => Promise.reject(new Error(`${name}: ${error.message}`, { cause: error })));
    }
  });
}
