import { useId, useState } from 'react';
import type { Post } from '#contract/posts.ts';
import { explainLoading, loadWhenIdle, onDemand } from '../../../lib/on-demand.ts';
import { showToast } from '../../../lib/toasts.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';

/** Loaded on demand: reading does not need it. */
const postMenu = onDemand(() => import('./post-menu.tsx'));

const idleWithinMs = 2_000;

/** Loads the menu ahead, so that it opens at the first click. */
export const fetchMenuAhead = (): Promise<void> => loadWhenIdle(idleWithinMs, postMenu);

/** Follows the discussion of a post. */
export async function followDiscussion(post: Post | undefined): Promise<void> {
  try {
    const loaded = await postMenu.load();
    if (post) loaded.changeFollowing(post, true);
  } catch (error) {
    showToast(explainLoading(error));
  }
}

export function PostMenuButton({ post }: { post: Post }) {
  const menuId = useId();
  // The menu is open while this is set.
  const [PostMenu, setPostMenu] = useState<Awaited<ReturnType<typeof postMenu.load>>['PostMenu'] | null>(null);

  const openMenu = async () => {
    try {
      const loaded = await postMenu.load();
      setPostMenu(() => loaded.PostMenu);
    } catch (error) {
      showToast(explainLoading(error));
    }
  };

  return (
    <>
      <MenuButton label={menuName} menuId={menuId} open={PostMenu !== null} onOpen={() => void openMenu()} />
      {PostMenu && <PostMenu id={menuId} label={menuName} post={post} onClose={() => setPostMenu(null)} />}
    </>
  );
}

const menuName = 'Действия с записью';
