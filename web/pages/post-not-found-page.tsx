import { useEffect, useState } from 'react';
import type { HiddenPost } from '#contract/posts.ts';
import { useSessionState } from '../auth/session-context.ts';
import { fetchHidden } from '../hidden/fetch-hidden.ts';
import { HiddenArea } from '../hidden/hidden-area.tsx';
import { Notice } from '../ui/notice.tsx';

/** For everybody but its author, where it is hidden. */
export function PostNotFoundPage({ id }: { id: string }) {
  const { is } = useSessionState();
  const [hidden, setHidden] = useState<HiddenPost[]>([]);

  useEffect(() => {
    if (is !== 'authorized') return undefined;
    let left = false;
    const look = async () => {
      const found = await fetchHidden((post) => post.id === id);
      if (!left) setHidden(found);
    };
    void look();
    return () => {
      left = true;
    };
  }, [is, id]);

  if (is === 'authorized' && hidden.length > 0) return <HiddenArea posts={hidden} />;
  return <Notice title="Запись не найдена" text="Запись не существует или была удалена" />;
}
