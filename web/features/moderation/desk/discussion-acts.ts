import { lockDiscussion, paceDiscussion, unlockDiscussion } from '#contract/moderation.ts';
import { closed, paceSeconds, paceText } from '#contract/pace.ts';
import { lockReasons } from '#contract/moderation-acts.ts';
import type { Post } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { type DeskAct, undoReasons } from './act.ts';

/** `pace` is that of the discussion from now on. */
type OnDone = (actId: string | null, text: string, pace: number) => void;

const swift = (root: Post) => ({ about: root.text, isSwift: true as const });

export const closureOf = (root: Post, onDone: OnDone): DeskAct => ({
  ...swift(root),
  title: 'Закрыть обсуждение',
  hint: 'Новых ответов не будет. Причина останется в журнале.',
  reasons: lockReasons,
  label: 'Закрыть обсуждение',
  async run(reason) {
    const { act_id: id } = await call(lockDiscussion, { params: root, body: { reason } });
    onDone(id, 'Обсуждение закрыто', closed);
  },
});

export const openingOf = (root: Post, onDone: OnDone): DeskAct => ({
  ...swift(root),
  title: 'Открыть обсуждение',
  hint: 'Отвечать снова сможет каждый. Причина останется в журнале.',
  reasons: undoReasons,
  label: 'Открыть обсуждение',
  async run(reason) {
    const { act_id: id } = await call(unlockDiscussion, { params: root, body: { reason } });
    onDone(id, 'Обсуждение открыто', 0);
  },
});

export function slowingOf(root: Post, onDone: OnDone): DeskAct {
  const choices = new Map<string, (typeof paceSeconds)[number] | 0>(
    paceSeconds.map((seconds) => [capital(paceText(seconds)), seconds]),
  );
  if (root.actions.pace !== undefined) choices.set('Выключить', 0);
  return {
    ...swift(root),
    title: 'Медленный режим',
    hint: 'Как часто может отвечать один человек?',
    reasons: [...choices.keys()],
    hasNoOwnReason: true,
    label: 'Медленный режим',
    async run(choice) {
      const seconds = choices.get(choice)!;
      const { act_id: id } = await call(paceDiscussion, { params: root, body: { seconds } });
      onDone(id, `Медленный режим: ${seconds === 0 ? 'выключен' : paceText(seconds)}`, seconds);
    },
  };
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
