import { Notice } from '../ui/notice.tsx';

export function PostNotFoundPage() {
  return <Notice title="Запись не найдена" text="Запись не существует или была удалена" />;
}
