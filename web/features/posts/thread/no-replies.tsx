import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { usePerform } from '../../session/actions.ts';

/** Shown in place of the replies. */
export function NoReplies({ postId }: { postId: string }) {
  const perform = usePerform();
  return (
    <Notice
      title="Ответов пока нет"
      action={<Button onClick={() => perform({ kind: 'reply', postId })}>Ответить первым</Button>}
    />
  );
}
