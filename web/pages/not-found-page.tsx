import type { ReactNode } from 'react';
import { Notice } from '../ui/notice.tsx';

export function NotFoundPage({ action }: { action?: ReactNode }) {
  return <Notice title="Страница не существует" text="Проверьте корректность адреса" action={action} />;
}
