import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Page } from '../router/page.ts';
import { missingDescription } from '../router/screen.ts';
import { Notice } from '../ui/notice.tsx';

/** The page for every address that has none. */
export const notFound: Page = {
  address: addresses.feed,
  access: 'public',
  load: async () => null,
  describe: () => missingDescription,
  Component: () => <NotFoundNotice />,
};

export function NotFoundNotice({ action }: { action?: ReactNode }) {
  return <Notice title="Страница не существует" text="Проверьте корректность адреса" action={action} />;
}
