import { readConfig } from '../../config.ts';
import { hasWall, openDatabase } from '../../db/open-database.ts';
import { CommandError, explain, toLine } from '../admin/terminal.ts';

// The server makes the tables itself, except if a wall seems to be lost (`refuseLostWall`). Then this command makes them.
process.umask(0o077);
try {
  const config = readConfig(process.env);
  if (await hasWall(config)) throw new CommandError('Здесь уже есть стена: новую начинают с пустой базой.');
  const db = await openDatabase(config, (error) => process.stderr.write(`${toLine(error.message)}\n`));
  await db.close();
  console.log('Новая, пустая стена готова. Запустите сервер: он напечатает ссылку, по которой становятся владельцем.');
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
