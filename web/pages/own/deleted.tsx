import { PostText } from '../../features/posts/card/post-text.tsx';
import { Form } from '../../forms/form.tsx';
import { page } from '../../forms/page-module.ts';
import { useNow } from '../../lib/clock.tsx';
import lists from '../../ui/list-page.module.css';
import { Notice } from '../../ui/notice.tsx';
import { restore } from '../post-forms/restore.ts';
import styles from './deleted.module.css';

export const deleted = page({
  load: async ({ call }) => ({ deleted: (await call('GET /posts/removed', {})).deleted }),
  View(props) {
    const now = useNow();
    const posts = props.deleted.filter(({ restorable_until: until }) => now <= until);
    if (posts.length === 0) {
      return <Notice title="Удалённых записей нет" text="Удалённую запись можно вернуть в течение пяти минут" />;
    }
    return (
      <>
        <p className={lists.about}>Запись можно вернуть в течение пяти минут после удаления. Её видите только вы.</p>
        <ul className={lists.list} aria-label="Удалённые">
          {posts.map(({ id, text }) => (
            <li key={id} className={styles.post}>
              <PostText id={`deleted-${id}`} text={text} />
              <Form act="restore" id={id} submit="Вернуть" variant="quiet" describedBy={`deleted-${id}`} isInline />
            </li>
          ))}
        </ul>
      </>
    );
  },
  acts: { restore },
});
