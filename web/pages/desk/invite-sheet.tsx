import { encode } from 'uqr';
import { useClientSettings } from '../../lib/client-settings.ts';
import { WallMark } from '../../ui/wall-sign.tsx';
import styles from './invite-sheet.module.css';

/** The address as people read and type it. */
export const addressWords = (link: string): string => link.replace(/^https?:\/\//, '');

export function QrCode({ link }: { link: string }) {
  const { data, size } = encode(link);
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR-код ссылки">
      <path d={`M0 0h${size}v${size}h-${size}z`} className={styles.light} />
      <path d={dark.join('')} className={styles.dark} shapeRendering="crispEdges" />
    </svg>
  );
}

/** The announcement with a link, which is only on paper. */
export function InviteSheet({ link, sentence }: { link: string; sentence: string }) {
  const { appName, hasNoMail } = useClientSettings();
  return (
    <div className={styles.sheet} data-sheet>
      <WallMark />
      <p className={styles.name}>{appName}</p>
      <p className={styles.sentence}>{sentence}</p>
      <QrCode link={link} />
      <p className={styles.address}>{addressWords(link)}</p>
      <p>Наведите камеру телефона или наберите адрес</p>
      <p className={styles.end}>
        {hasNoMail ? 'Пароль не нужен: код покажет тот, кто зовёт.' : 'Пароль не нужен: на почту придёт код.'}
      </p>
    </div>
  );
}
