import { Refusal } from '../admin/refusal.ts';
import { line } from '../admin/terminal.ts';

export const damaged = (file: string, how: string): Refusal =>
  new Refusal(`Копия повреждена: ${line(file)} (${line(how)}).`);

export const unreadable = (error: Error): Refusal => new Refusal(`Копию не прочесть: ${line(error.message)}`);

export const notACopy = (file: string): Refusal => new Refusal(`Это не резервная копия стены: ${line(file)}.`);

export const foreign = (objects: readonly string[]): Refusal =>
  new Refusal(`В копии есть то, чего у стены не бывает: ${line(objects.join(', '))}. Восстановить её нельзя.`);

export const wouldReplace = (place: string): Refusal =>
  new Refusal(
    `Здесь уже есть стена: ${line(place)}. Чтобы отложить её и поставить копию: ./stena restore ФАЙЛ --replace`,
  );

export const inUse = (): Refusal =>
  new Refusal('С этими данными работает сервер или другая программа: остановите их и повторите.');

export const notUndone = (error: Error, aside: string | undefined): Refusal =>
  new Refusal(
    `Стена не восстановлена, и вернуть всё как было не удалось: ${line(error.message)}.${aside ? ` Прежние данные в схеме ${aside}.` : ''}`,
  );
