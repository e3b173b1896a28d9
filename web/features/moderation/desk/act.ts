import { ApiError } from '#client/api-error.ts';
import { moderationReasons } from '#contract/moderation-acts.ts';

/** Something a moderator is about to do. It needs a reason, which the journal records. */
export interface DeskAct {
  title: string;
  /** The text of the post or the name of the person it concerns. */
  about: string;
  /** Text above the reasons. It says where the reason is shown. */
  hint: string;
  reasons: readonly string[];
  /** A tap on a ready-made reason carries it out. */
  isSwift?: true;
  /** The reasons are all there is to choose from. */
  hasNoOwnReason?: true;
  /** On the button that carries it out. */
  label: string;
  isDangerous?: boolean;
  /** The label of a further act that may be carried out with it. */
  option?: string;
  /** How long it lasts, the last choice without end. */
  terms?: { legend: string; choices: ReadonlyArray<{ id: string; name: string }> };
  run(reason: string, withOption: boolean, term?: string): Promise<void>;
  /** Called when the target of the act does not exist any more. */
  onGone?(): Promise<void>;
}

/** Removes a post. Its text is shown again. */
export const removalOf = (about: string, carried: Pick<DeskAct, 'run' | 'onGone'>): DeskAct => ({
  title: 'Убрать со стены',
  about,
  hint: 'Причину увидит автор.',
  reasons: moderationReasons,
  isSwift: true,
  label: 'Убрать со стены',
  isDangerous: true,
  ...carried,
});

/** Ready-made reasons for undoing an act. */
export const undoReasons = ['Ошибка', 'Договорились', 'Решили иначе'];
export const dismissalReasons = ['Нарушения нет', 'Спор, а не нарушение', 'Жалоба по ошибке'];

/** The reason in the journal when an act is undone with the button in its toast. */
export const undoneAtOnce = 'Отменено сразу';

/** Shown when the server had nothing to do: another moderator was faster, or the response to an earlier attempt was lost. */
export const alreadyDone = 'Это уже сделано, возможно, другим модератором';

export const needsFreshCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED';
