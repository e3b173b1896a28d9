import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { usePost } from '../store/use-posts.ts';
import { usePerform } from '../../session/actions.ts';

/** Shown in place of the replies. */
export function NoReplies({ postId }: { postId: string }) {
  const perform = usePerform();
  const isClosed = usePost(postId)?.actions.is_closed;
  return (
    <Notice
      title="Ответов пока нет"
      action={!isClosed && <Button onClick={() => perform({ kind: 'reply', postId })}>Ответить первым</Button>}
    />
  );
}
