import { exactTime } from '../../lib/time.ts';

/** How many links a person may still make. */
export const leftWords = (left: number | null): string =>
  `По ссылке придёт один человек, и он узнает, что его позвали вы.${left === null ? '' : ` Сейчас можно сделать ссылок: ${left}.`}`;

/** The state of an invitation. */
export function inviteState({ isOpen, by, at }: { isOpen: boolean; by: string | null; at: number }): string {
  if (isOpen) return `не использована, сделана ${exactTime(at)}`;
  return by === null ? 'по ней пришли' : `по ней пришёл(а) ${by}`;
}
