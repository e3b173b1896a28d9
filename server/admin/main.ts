import { readConfig } from '../config.ts';
import { carryOut } from './carry-out.ts';
import { commands } from './commands.ts';
import { explain } from './explain.ts';
import { help } from './help.ts';
import { openWall } from './open-wall.ts';
import { type Given, readArguments } from './read-arguments.ts';

process.umask(0o077);
try {
  const given = readArguments(process.argv.slice(2), commands);
  console.log(given === 'help' ? help(commands) : await onTheWall(given));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function onTheWall(given: Given): Promise<string> {
  const config = readConfig(process.env);
  const db = await openWall(config);
  try {
    return await carryOut(db, config, given);
  } finally {
    await db.close();
  }
}
