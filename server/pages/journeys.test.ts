import { test } from 'node:test';
import { engines } from '../../test/kit/engines.ts';
import { storySteps } from '../../test/kit/journeys/actions.ts';
import { firstHour } from '../../test/kit/journeys/first-hour.ts';
import { openNewWall, openStory } from '../../test/kit/journeys/open-story.ts';
import { openTextBrowser } from '../../test/kit/journeys/text-browser.ts';

async function act(steps: ReturnType<typeof storySteps>): Promise<void> {
  for (const { name, run } of steps) {
    await run().catch((error: Error) => Promise.reject(new Error(`${name}: ${error.message}`, { cause: error })));
  }
}

for (const engine of engines) {
  test(`a person does everything by links and forms on ${engine}`, async () => {
    await using wall = await openStory(engine);
    await act(storySteps(openTextBrowser(wall.url), wall.world));
  });

  test(`the owner’s first hour leads from the printed link to a neighbour’s reply on ${engine}`, async () => {
    await using wall = await openNewWall(engine);
    await act(firstHour(openTextBrowser(wall.url), wall.world));
  });
}
