import { Notice } from '../ui/notice.tsx';

export function NotFoundPage() {
  return <Notice title="Страница не существует" text="Проверьте корректность адреса" />;
}
