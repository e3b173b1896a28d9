import { useEffect } from 'react';
import type { Carry } from '#contract/carries.ts';
import { Field } from '../forms/fields.tsx';
import { Form } from '../forms/form.tsx';
import form from '../forms/form.module.css';
import { type Act, formProblem, type PageContext } from '../forms/page-module.ts';
import button from '../ui/button.module.css';
import { LocalTime } from '../ui/local-time.tsx';
import { useRefresh } from './page-contexts.ts';

const pollMs = 2_000;
const thousands = new Intl.NumberFormat('ru');
const shown = (count: number): string => thousands.format(count).replaceAll(/\s/g, ' ');

/** The newest file that the person has asked for, of the whole wall or of the own posts. */
export async function lastCarry({ call }: Pick<PageContext, 'call'>, isWhole: boolean): Promise<Carry | undefined> {
  const { carries } = await call('GET /users/current/carries', {});
  return carries.find(({ whole }) => whole === isWhole);
}

export const startCarry =
  (whose: '/keep' | '/users/current'): Act =>
  async ({ call }, { year = '' }) => {
    const typed = year.trim();
    if (typed !== '' && !/^\d{4}$/.test(typed)) throw formProblem('Напишите год четырьмя цифрами или ничего.', 'year');
    await call(`POST ${whose}/carries`, { body: { year: typed === '' ? null : Number(typed) } });
    return { message: 'Собираем файл' };
  };

interface CarryFormProps {
  carry: Carry | undefined;
  /** The address of the page, which has the act `carry`. */
  at: string;
  asksYear?: boolean;
}

/** Asks for a file, says how far it is, and leads to it. */
export function CarryForm({ carry, at, asksYear = false }: CarryFormProps) {
  const refresh = useRefresh();
  const isMaking = carry?.state === 'making';
  useEffect(() => {
    if (!isMaking) return undefined;
    const timer = setInterval(() => void refresh(), pollMs);
    return () => clearInterval(timer);
  }, [isMaking, refresh]);

  return (
    <div className={form.form}>
      <p>
        Файл открывается в браузере без сети: в нём можно читать и искать. В файле останется и то, что потом удалят со
        стены.
      </p>
      <div role="status">
        {carry?.state === 'making' && (
          <>
            <p>{carry.total > 0 ? `Собираем: ${shown(carry.done)} из ${shown(carry.total)}` : 'Собираем…'}</p>
            <progress value={carry.done} max={Math.max(carry.total, 1)} aria-label="Собрано записей" />
          </>
        )}
        {carry?.state === 'failed' && <p>Файл не собрался. Попробуйте ещё раз.</p>}
        {carry?.state === 'ready' && (
          <div className={form.form}>
            <p>
              Записей: {shown(carry.done)}. Хранится до <LocalTime at={carry.expires_at} />. Кто знает адрес файла, тот
              может его скачать.
            </p>
            <p>
              <a href={carry.url!} download className={button.button} data-variant="quiet">
                Скачать файл
              </a>
            </p>
          </div>
        )}
      </div>
      {isMaking ? (
        <a href={at}>Обновить</a>
      ) : (
        <Form act="carry" submit={carry ? 'Собрать заново' : 'Собрать файл'} variant="quiet" errorAt="year">
          {asksYear && <Field name="year" label="Год, если нужен один" inputMode="decimal" />}
        </Form>
      )}
    </div>
  );
}
