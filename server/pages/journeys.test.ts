import { test } from 'node:test';
import { engines } from '../../test/kit/engines.ts';
import { storySteps } from '../../test/kit/journeys/actions.ts';
import { openStory } from '../../test/kit/journeys/open-story.ts';
import { openTextBrowser } from '../../test/kit/journeys/text-browser.ts';

for (const engine of engines) {
  test(`a person does everything by links and forms on ${engine}`, async () => {
    await using wall = await openStory(engine);
    for (const { name, run } of storySteps(openTextBrowser(wall.url), wall.world)) {
      await run().catch((error: Error) => Promise.reject(new Error(`${name}: ${error.message}`, { cause: error })));
    }
  });
}
