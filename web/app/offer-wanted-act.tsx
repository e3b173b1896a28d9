import type { PostStore } from '../features/posts/store/post-store.ts';
import type { Perform } from '../features/session/actions.ts';
import { purposes } from '../features/sign-in/purpose.ts';
import { toasts } from '../lib/toasts.ts';
import styles from '../ui/toaster.module.css';
import { takeWantedAct, type WantedAct } from './wanted-act.ts';

const names: Record<WantedAct['kind'], string> = {
  like: 'Нравится',
  follow: 'Следить',
  bookmark: 'Сохранить',
  author: 'Следить',
  mute: 'Не показывать',
};

/** After the sign-in shows a toast with a button for the act that the visitor wanted. The act is not done by itself. */
export function offerWantedAct(store: PostStore, perform: Perform): void {
  const act = takeWantedAct();
  if (!act) return;
  const press = () => {
    toasts.close();
    // If the act is done already, performing it again would take it back.
    const isDone = act.kind === 'like' && store.post(act.postId)?.actions.is_liked;
    if (!isDone) perform(act);
  };
  const Button = () => (
    <button type="button" className={styles.link} onClick={press}>
      {names[act.kind]}
    </button>
  );
  toasts.add({ text: `Теперь можно ${purposes[act.kind]}`, Button });
}
