import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from './config.ts';

/** Creates DATA_DIR, or a folder in it, with its parents. */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    await makeWithParents(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`DATA_DIR: папку не создать или в неё не записать: ${JSON.stringify(path)} (${message}).`);
  }
}

/** Makes a folder with its parents. With `recursive`, Node would retry forever where no folder can be made, such as in /proc. */
export async function makeWithParents(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || (await exists(dirname(path)))) throw error;
    await makeWithParents(dirname(path));
    await mkdir(path);
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
