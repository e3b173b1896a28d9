import { useId, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Post } from '#contract/posts.ts';
import { explainLoading, loadWhenIdle, onDemand } from '../../../lib/on-demand.ts';
import { showToast } from '../../../lib/toasts.ts';
import iconButton from '../../../ui/icon-button.module.css';
import { Icon } from '../../../ui/icon.tsx';
import { LinkForm } from '../../../ui/link-form.tsx';
import styles from '../../../ui/menu.module.css';
import visuallyHidden from '../../../ui/visually-hidden.module.css';
import type { ChoiceAction } from '../../session/actions.ts';
import type { PostStore } from '../store/post-store.ts';

interface MenuButtonProps {
  label: string;
  menuId: string;
  open: boolean;
  onOpen: () => void;
}

/** While the menu is open, `popovertarget` makes the browser expose its state to screen readers and close it on a click. */
export function MenuButton({ label, menuId, open, onOpen }: MenuButtonProps) {
  return (
    <button
      // Without scripts it submits a form that opens a page. `popovertarget` has no effect on a submit button.
      type={open ? 'button' : 'submit'}
      className={`${iconButton.button} ${styles.button}`}
      aria-haspopup="menu"
      popoverTarget={open ? menuId : undefined}
      onClick={(event) => {
        if (open) return;
        // Otherwise the browser could find the menu already open and close it at once.
        event.preventDefault();
        onOpen();
      }}
    >
      <Icon name="more" />
      <span className={visuallyHidden.always}>{label}</span>
    </button>
  );
}

/** Loaded on demand: reading does not need it. */
const postMenu = onDemand(() => import('./post-menu.tsx'));

const idleWithinMs = 2_000;

/** Loads the menu ahead, so that it opens at the first click. */
export const fetchMenuAhead = (): Promise<void> => loadWhenIdle(idleWithinMs, postMenu);

/** Calls `use` with the code of the menu. Shows a toast if it cannot be loaded. */
async function withMenu(use: (loaded: Awaited<ReturnType<typeof postMenu.load>>) => void): Promise<void> {
  try {
    use(await postMenu.load());
  } catch (error) {
    showToast(explainLoading(error));
  }
}

/** Follows the discussion or the author of a post, or saves the post. */
export const choosePost = (store: PostStore, action: ChoiceAction): Promise<void> =>
  withMenu(({ choose }) => void choose(store, action));

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
