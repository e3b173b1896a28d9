import { useState } from 'react';
import { closed, ruleOf } from '#contract/pace.ts';
import type { Post } from '#contract/posts.ts';
import { showToast } from '../../../lib/toasts.ts';
import type { Moderated } from '../../posts/card/moderating.ts';
import { rootIdOf } from '../../posts/card/root-id.ts';
import { focusPost, positionOf } from '../../posts/list/posts-on-screen.ts';
import { postGone } from '../../posts/store/post-list-state.ts';
import { keepForRestoration, showRestored } from '../../posts/store/restored-posts.ts';
import { usePostStore } from '../../posts/store/use-posts.ts';
import { useSessionState } from '../../session/session.ts';
import { removePost } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { type DeskAct, removalOf } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import { closureOf, openingOf, slowingOf } from './discussion-acts.ts';
import { showAct } from './show-act.tsx';

interface ModeratorDialogProps {
  /** Null while the dialog is closed. */
  moderated: Moderated | null;
  onDeleted: (postId: string) => void;
  onClose: () => void;
}

/** The dialog of a moderator's act on a post or its discussion where it is read. */
export function ModeratorDialog({ moderated, onDeleted, onClose }: ModeratorDialogProps) {
  const store = usePostStore();
  const session = useSessionState();
  const me = session.is === 'authorized' ? session.user.id : null;

  function removal({ id, text }: Post): DeskAct {
    // The event about the removal may take the post out before the response arrives.
    const position = positionOf(id);
    const takeOut = () => {
      keepForRestoration(store, id);
      onDeleted(id);
      store.removePost(id);
      if (position > 0) focusPost(position);
    };
    return removalOf(text, {
      async run(reason) {
        const { act_id: actId } = await call(removePost, { params: { id }, body: { reason } });
        showAct(actId, `Убрано со стены: ${reason}`, () => showRestored(store, id, me));
        takeOut();
      },
      async onGone() {
        showToast(postGone);
        takeOut();
      },
    });
  }

  function ruling(post: Post, actOf: typeof closureOf): DeskAct {
    const rootId = rootIdOf(post);
    const root = store.post(rootId);
    const { is_closed: isClosed, pace = 0 } = root?.actions ?? {};
    const show = (now: number) => {
      store.posts.alter(rootId, ({ actions: { is_closed: _, pace: __, rule: ___, ...actions }, ...shown }) => ({
        ...shown,
        actions: { ...actions, ...ruleOf(now) },
      }));
      store.changed();
    };
    return actOf(root ?? post, (actId, text, now) => {
      showAct(actId, text, () => show(isClosed ? closed : pace));
      show(now);
    });
  }

  function chosen({ act, post }: Moderated): DeskAct {
    if (act === 'remove') return removal(post);
    return ruling(post, { lock: closureOf, unlock: openingOf, pace: slowingOf }[act]);
  }

  // As of opening the dialog.
  const [open, setOpen] = useState<{ moderated: Moderated; act: DeskAct } | null>(null);
  if (open?.moderated !== (moderated ?? undefined)) {
    setOpen(moderated && { moderated, act: chosen(moderated) });
  }
  return <ActDialog act={open?.act ?? null} onClose={onClose} />;
}
