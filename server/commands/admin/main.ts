import { readConfig } from '../../config.ts';
import { carryOut, commands, help } from './commands.ts';
import { explain } from './terminal.ts';
import { openWall } from './open-wall.ts';
import { type CommandLine, readArguments } from './read-arguments.ts';

process.umask(0o077);
try {
  const commandLine = readArguments(process.argv.slice(2), commands);
  console.log(commandLine === 'help' ? help(commands) : await runCommand(commandLine));
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function runCommand(commandLine: CommandLine): Promise<string> {
  const config = readConfig(process.env);
  const db = await openWall(config);
  try {
    const { output, failed } = await carryOut(db, config, commandLine);
    if (failed) process.exitCode = 1;
    return output;
  } finally {
    await db.close();
  }
}
