import { useId, useState } from 'react';
import type { Post } from '#contract/posts.ts';
import { explainLoading } from '../lib/on-demand.ts';
import { showToast } from '../lib/toasts.ts';
import { MenuButton } from '../ui/menu-button.tsx';
import { postMenu } from './writing.ts';

export function PostMenuButton({ post }: { post: Post }) {
  const menuId = useId();
  // Open as long as there is one.
  const [PostMenu, setPostMenu] = useState<Awaited<ReturnType<typeof postMenu.load>> | null>(null);

  const openMenu = async () => {
    try {
      const loaded = await postMenu.load();
      setPostMenu(() => loaded);
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
