import { test, type TestContext } from 'node:test';
import { engines } from './engines.ts';
import { openWall, type Wall } from './wall.ts';

/** Defines tests that run on each engine, each time on a new wall with these settings; `about` begins their titles. */
export const onWalls =
  (settings: NodeJS.ProcessEnv = {}, about = '') =>
  (title: string, work: (wall: Wall, t: TestContext) => Promise<unknown>): void => {
    for (const engine of engines) {
      test(`${about && `${about} `}${title} on ${engine}`, async (t) => {
        await using wall = await openWall(engine, settings);
        await work(wall, t);
      });
    }
  };
