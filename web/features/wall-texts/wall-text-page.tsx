import { useMemo } from 'react';
import type { WallText } from '#contract/wall-texts.ts';
import { trustedHtml } from '../../lib/trusted-html.ts';
import { WallTextLinks } from './wall-text-links.tsx';
import styles from './wall-text-page.module.css';

/** A text about the wall. The server has rendered its Markdown without raw HTML. */
export function WallTextPage({ wallText: { html } }: { wallText: WallText }) {
  const content = useMemo(() => trustedHtml(html), [html]);
  return (
    <div className={styles.page}>
      <div className={styles.text} dangerouslySetInnerHTML={{ __html: content }} />
      <WallTextLinks />
    </div>
  );
}
