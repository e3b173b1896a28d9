import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { Page } from '../router/page.ts';
import { missingDescription } from '../router/screen.ts';
import { Notice, type Picture } from '../ui/notice.tsx';

/** The page for an unknown address. Its own `address` is never matched: a page needs one, so it has that of the feed. */
export const notFound: Page = {
  address: addresses.feed,
  access: 'public',
  load: async () => null,
  describe: () => missingDescription,
  Component: () => <NotFoundNotice />,
};

/** A hole in the wall, and a question mark. */
export const missingPicture: Picture = [
  'M3 46h34v12H3zM43 46h34v12H43zM83 46h34v12H83zM3 30h14v12H3zM103 30h14v12h-14z',
  'M52 14c1-12 17-11 16-1 0 7-8 7-8 15m0 8v1',
];

export function NotFoundNotice({ action }: { action?: ReactNode }) {
  return (
    <Notice
      title="Страница не существует"
      text="Проверьте корректность адреса"
      picture={missingPicture}
      action={action}
    />
  );
}
