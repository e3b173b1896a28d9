import { addresses, type DocumentName } from '#contract/addresses.ts';
import styles from './document-links.module.css';

const links: [DocumentName, string][] = [
  ['about', 'О стене'],
  ['rules', 'Правила'],
  ['privacy', 'Конфиденциальность'],
];

/** Links to the operator's texts. A form that would be lost opens them in another tab. */
export function DocumentLinks({ target }: { target?: '_blank' }) {
  return (
    <p className={styles.links}>
      {links.map(([name, text]) => (
        <a key={name} href={addresses.wallDocument.href({ name })} target={target}>
          {text}
        </a>
      ))}
    </p>
  );
}
