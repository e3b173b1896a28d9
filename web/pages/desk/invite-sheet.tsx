import { encode } from 'uqr';
import { useClientSettings } from '../../lib/client-settings.ts';
import styles from './invite-sheet.module.css';

/** The QR code of a link. In print it fills a sheet of paper, together with the name and the description of the wall. */
export function InviteSheet({ link }: { link: string }) {
  const { appName, intro } = useClientSettings();
  const { data, size } = encode(link);
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <div className={styles.sheet}>
      <p className={styles.name}>{appName}</p>
      {intro !== undefined && <p className={styles.line}>{intro}</p>}
      <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR-код ссылки">
        <path d={`M0 0h${size}v${size}h-${size}z`} className={styles.light} />
        <path d={dark.join('')} className={styles.dark} shapeRendering="crispEdges" />
      </svg>
      <p className={styles.printed}>Наведите камеру или откройте ссылку:</p>
      <p className={styles.address}>{link}</p>
    </div>
  );
}
