import type { WallDocument } from '#contract/documents.ts';
import { noBreaks } from '../../lib/no-breaks.ts';
import { DocumentLinks } from './document-links.tsx';
import styles from './document-text.module.css';

/** A text about the wall. The server has rendered its Markdown without raw HTML. */
export function DocumentText({ document: { html } }: { document: WallDocument }) {
  return (
    <div className={styles.page}>
      <div className={styles.text} dangerouslySetInnerHTML={{ __html: withoutBreaks(html) }} />
      <DocumentLinks />
    </div>
  );
}

/** What is in `<pre>` may be copied into a program. */
const withoutBreaks = (html: string): string =>
  html
    .split(/(<pre>.*?<\/pre>)/s)
    .map((part, i) => (i % 2 === 0 ? noBreaks(part) : part))
    .join('');
