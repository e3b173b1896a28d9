import type { WallDocument } from '#contract/documents.ts';
import { noBreaks } from '../../lib/no-breaks.ts';
import { DocumentLinks } from './document-links.tsx';
import styles from './document-text.module.css';

/** A text of the operator. The server has rendered its Markdown without raw HTML. */
export function DocumentText({ document: { html } }: { document: WallDocument }) {
  return (
    <div className={styles.page}>
      <div className={styles.text} dangerouslySetInnerHTML={{ __html: noBreaks(html) }} />
      <DocumentLinks />
    </div>
  );
}
