import { useId, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { explainLoading, loadWhenIdle, onDemand } from '../../../lib/on-demand.ts';
import { showToast } from '../../../lib/toasts.ts';
import { LinkForm } from '../../../ui/link-form.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import type { ChoiceAction } from '../../session/actions.ts';
import type { PostStore } from '../store/post-store.ts';

/** Loaded on demand: reading does not need it. */
const postMenu = onDemand(() => import('./post-menu.tsx'));

const idleWithinMs = 2_000;

/** Loads the menu ahead, so that it opens at the first click. */
export const fetchMenuAhead = (): Promise<void> => loadWhenIdle(idleWithinMs, postMenu);

/** Reports it if the menu cannot be loaded. */
async function withMenu(use: (loaded: Awaited<ReturnType<typeof postMenu.load>>) => void): Promise<void> {
  try {
    use(await postMenu.load());
  } catch (error) {
    showToast(explainLoading(error));
  }
}

/** Follows the discussion of a post, or saves the post. */
export const choosePost = (store: PostStore, { kind, postId }: ChoiceAction): Promise<void> =>
  withMenu(({ following, bookmark }) => void (kind === 'follow' ? following : bookmark).choose(store, postId));

export function PostMenuButton({ post }: { post: Post }) {
  const menuId = useId();
  // The menu is open while this is set.
  const [PostMenu, setPostMenu] = useState<Awaited<ReturnType<typeof postMenu.load>>['PostMenu'] | null>(null);

  const openMenu = () => withMenu((loaded) => setPostMenu(() => loaded.PostMenu));

  return (
    <>
      <LinkForm to={addresses.postActions.href(post)}>
        <MenuButton label={menuName} menuId={menuId} open={PostMenu !== null} onOpen={() => void openMenu()} />
      </LinkForm>
      {PostMenu && <PostMenu id={menuId} label={menuName} post={post} onClose={() => setPostMenu(null)} />}
    </>
  );
}

const menuName = 'Действия с записью';
