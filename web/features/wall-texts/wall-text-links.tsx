import { addresses, type WallTextName } from '#contract/addresses.ts';
import styles from './wall-text-links.module.css';

const links: [WallTextName, string][] = [
  ['about', 'О стене'],
  ['rules', 'Правила'],
  ['privacy', 'Конфиденциальность'],
];

/** Links to the operator's texts. A form opens them in another tab, so that its input is not lost. */
export function WallTextLinks({ target }: { target?: '_blank' }) {
  return (
    <ul className={styles.links}>
      {links.map(([name, text]) => (
        <li key={name}>
          <a href={addresses.wallText.href({ name })} target={target}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}
