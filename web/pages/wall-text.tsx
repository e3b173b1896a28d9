import { useMemo } from 'react';
import { addresses, type WallTextName } from '#contract/addresses.ts';
import type { WallText } from '#contract/wall-texts.ts';
import { WallTextLinks } from '../features/wall-texts/wall-text-links.tsx';
import styles from '../features/wall-texts/wall-text-page.module.css';
import wallTextSkeletonStyles from '../features/wall-texts/wall-text-skeleton.module.css';
import { trustedHtml } from '../lib/trusted-html.ts';
import type { Page } from '../router/page.ts';
import visuallyHidden from '../ui/visually-hidden.module.css';
import { notFound } from './not-found.tsx';

/** A text about the wall. The server has rendered its Markdown without raw HTML. */
function WallTextPage({ wallText: { html } }: { wallText: WallText }) {
  const content = useMemo(() => trustedHtml(html), [html]);
  return (
    <div className={styles.page}>
      <div className={styles.text} dangerouslySetInnerHTML={{ __html: content }} />
      <WallTextLinks />
    </div>
  );
}

/** A text about the wall, its rules, privacy, consent or the API. */
export const wallText: Page<{ name: WallTextName }, { wallText: WallText }> = {
  address: addresses.wallText,
  access: 'public',
  load: async ({ name }, { call, signal }) => ({
    wallText: await call('GET /documents/{name}', { params: { name }, signal }),
  }),
  missing: notFound,
  describe: (_, shown) => ({ heading: shown?.wallText.title ?? '' }),
  skeleton: (
    <div className={wallTextSkeletonStyles.lines}>
      <span className={visuallyHidden.always}>Загрузка</span>
    </div>
  ),
  Component: WallTextPage,
};
