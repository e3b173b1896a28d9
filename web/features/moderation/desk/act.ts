import { ApiError } from '../../../lib/api-error.ts';

/** Something a moderator is about to do. It needs a reason, which the journal records. */
export interface DeskAct {
  title: string;
  /** The text of the post or the name of the person it concerns. */
  about: string;
  /** What the reason is for, and who reads it. */
  hint: string;
  reasons: readonly string[];
  /** A tap on a ready-made reason carries it out. */
  isSwift: boolean;
  /** On the button that carries it out. */
  label: string;
  isDangerous?: boolean;
  /** What may be done together with it. */
  option?: string;
  run(reason: string, withOption: boolean): Promise<void>;
  /** What it concerns does not exist any more. */
  onGone?(): void;
}

/** For acts that take something back. */
export const undoReasons = ['Ошибка', 'Договорились', 'Решили иначе'];
export const dismissalReasons = ['Нарушения нет', 'Спор, а не нарушение', 'Жалоба по ошибке'];

/** The journal says that an act was taken back by the button of its message. */
export const undoneAtOnce = 'Отменено сразу';

/** By another moderator, or by an earlier attempt whose response was lost. */
export const alreadyDone = 'Это уже сделано, возможно, другим модератором';

export const needsFreshCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED';
