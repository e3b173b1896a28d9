import brickMarkStyles from './brick-mark.module.css';
import styles from './icon.module.css';

/** Three bricks in running bond: two below, one above their joint. */
export function BrickMark() {
  return (
    <svg className={brickMarkStyles.mark} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M7.5 5h9a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z M2 13h8.25a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H2a1 1 0 0 1-1-1V14a1 1 0 0 1 1-1z M13.75 13H22a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1h-8.25a1 1 0 0 1-1-1V14a1 1 0 0 1 1-1z" />
    </svg>
  );
}

/** Paths on a grid of 24 px, all with the same stroke. */
const paths = {
  feed: 'M3.5 5h17v14h-17z M3.5 9.7h17 M3.5 14.3h17 M12 5v4.7 M8 9.7v4.6 M16 9.7v4.6 M12 14.3V19',
  pencil: 'M4 20l1-4.4L16.1 4.5a1.8 1.8 0 0 1 2.5 0l.9.9a1.8 1.8 0 0 1 0 2.5L8.4 19z M13.8 6.8l3.4 3.4',
  heart:
    'M12 20C6.6 16.4 3 13.1 3 9.3 3 6.6 5 4.6 7.6 4.6c1.8 0 3.4.9 4.4 2.5 1-1.6 2.6-2.5 4.4-2.5 2.6 0 4.6 2 4.6 4.7 0 3.8-3.6 7.1-9 10.7z',
  reply: 'M4.5 4.8h15a1 1 0 0 1 1 1v9.4a1 1 0 0 1-1 1h-7.6L7.5 20v-3.8h-3a1 1 0 0 1-1-1V5.8a1 1 0 0 1 1-1z',
  back: 'M19.5 12h-15 M11 5.5L4.5 12l6.5 6.5',
  chevron: 'M6 9.5l6 6 6-6',
  close: 'M6 6l12 12 M18 6L6 18',
  more: 'M5.5 12h.01 M12 12h.01 M18.5 12h.01',
  bell: 'M12 3.5a5.6 5.6 0 0 0-5.6 5.6c0 4.6-1.9 5.6-1.9 7.4h15c0-1.8-1.9-2.8-1.9-7.4A5.6 5.6 0 0 0 12 3.5z M9.8 20a2.4 2.4 0 0 0 4.4 0',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z M15.3 15.3L20.5 20.5',
  settings:
    'M3.5 8h8 M16.5 8h4 M14 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z M3.5 16h4 M12.5 16h8 M10 13.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  bookmark: 'M6.5 4h11a1 1 0 0 1 1 1v15.2L12 15.6l-6.5 4.6V5a1 1 0 0 1 1-1z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M12 2.5v2 M12 19.5v2 M2.5 12h2 M19.5 12h2 M5.3 5.3l1.4 1.4 M17.3 17.3l1.4 1.4 M5.3 18.7l1.4-1.4 M17.3 6.7l1.4-1.4',
  moon: 'M20.2 13.8A8.4 8.4 0 1 1 10.2 3.8a6.6 6.6 0 0 0 10 10z',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
