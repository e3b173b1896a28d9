import { ConfigError, readConfig } from '../config.ts';
import { StorageUnavailable, StorageUnfit } from '../db/database.ts';
import { carryOut } from './carry-out.ts';
import { commands } from './commands.ts';
import { help } from './help.ts';
import { openWall } from './open-wall.ts';
import { type Given, readArguments } from './read-arguments.ts';
import { Refusal } from './refusal.ts';
import { line } from './terminal.ts';

try {
  const given = readArguments(process.argv.slice(2), commands);
  console.log(given === 'help' ? help(commands) : await onTheWall(given));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function onTheWall(given: Given): Promise<string> {
  const db = await openWall(readConfig(process.env));
  try {
    return await carryOut(db, given);
  } finally {
    await db.close();
  }
}

/** One clear line for what the operator can mend; anything else is a fault of ours and shows where. */
function explain(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof Error)) return String(error);
  const ofSettings = error instanceof ConfigError || error instanceof StorageUnfit;
  if (ofSettings) return line(error.message);
  const ofStorage = error instanceof StorageUnavailable || 'code' in error;
  return ofStorage ? `База данных не отвечает: ${line(error.message)}` : (error.stack ?? error.message);
}
