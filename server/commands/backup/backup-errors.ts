import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { CommandError, toLine } from '../admin/terminal.ts';

export const damaged = (file: string, how: string): CommandError =>
  new CommandError(`Копия повреждена: ${toLine(file)} (${toLine(how)}).`);

export const unreadable = async (error: Error): Promise<CommandError> =>
  new CommandError(`Копию не прочесть: ${await explainAccess(error)}`);

export const writeFailure = async (error: Error): Promise<CommandError> =>
  new CommandError(`Копия не сделана: ${await explainAccess(error)}`);

export const notCopied = async (error: Error): Promise<CommandError> =>
  new CommandError(`не записать: ${await explainAccess(error)}`);

/** Explains an error. If access was denied, names the owner of the file or folder. */
async function explainAccess(error: NodeJS.ErrnoException): Promise<string> {
  if (error.code !== 'EACCES' || error.path === undefined) return toLine(error.message);
  const { path, uid } = await nearest(error.path);
  const whose = `${path} принадлежит пользователю ${nameOf(uid)}, а команду выполняет ${nameOf(process.getuid!())}`;
  return `${toLine(whose)}. Смените владельца (chown) или возьмите другую папку.`;
}

/** The path if it can be seen, or the nearest visible folder above it. */
async function nearest(path: string): Promise<{ path: string; uid: number }> {
  try {
    return { path, uid: (await stat(path)).uid };
  } catch {
    return nearest(dirname(path));
  }
}

function nameOf(uid: number): string {
  if (uid === 0) return 'root';
  return uid === process.getuid!() ? ownName() : `с номером ${uid}`;
}

/** A container may run as a user without a name. */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return `с номером ${process.getuid!()}`;
  }
}

export const irregular = (file: string): CommandError =>
  new CommandError(`Это не обычный файл: ${toLine(file)}. Восстановить стену можно только из файла.`);

export const notACopy = (file: string): CommandError =>
  new CommandError(`Это не резервная копия стены: ${toLine(file)}.`);

export const foreign = (objects: readonly string[]): CommandError =>
  new CommandError(`В копии есть то, чего у стены не бывает: ${toLine(objects.join(', '))}. Восстановить её нельзя.`);

export const wouldReplace = (place: string): CommandError =>
  new CommandError(
    `Здесь уже есть стена: ${toLine(place)}. Чтобы отложить её и поставить копию: ./stena restore ФАЙЛ --replace`,
  );

export const inUse = (): CommandError =>
  new CommandError('С этими данными работает сервер или другая программа: остановите их и повторите.');

export const notUndone = (error: Error, aside: string | undefined): CommandError =>
  new CommandError(
    `Стена не восстановлена, и вернуть всё как было не удалось: ${toLine(error.message)}.${aside ? ` Прежние данные в схеме ${aside}.` : ''}`,
  );
