import { Icon, type IconName } from './icon.tsx';
import styles from './icon.module.css';

/** Paths on the grid of the other icons. They are not part of the first load. */
const paths = {
  quote: 'M5 6.5v6h5v-6z M10 12.5c0 2.5-1.5 4.5-4 5 M14 6.5v6h5v-6z M19 12.5c0 2.5-1.5 4.5-4 5',
  share: 'M12 14.5V3.5 M8 7l4-3.5L16 7 M6 11H4.5v9.5h15V11H18',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7 M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  globe: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z M3.5 12h17 M12 3.5c5 5 5 12 0 17 M12 3.5c-5 5-5 12 0 17',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M4.5 20.5c.5-4 3.5-6 7.5-6s7 2 7.5 6',
  hidden: 'M4 12c4.5-7 11.5-7 16 0-4.5 7-11.5 7-16 0z M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z M4.5 19.5l15-15',
  lock: 'M5.5 10.5h13v10h-13z M8.5 10.5V7.5a3.5 3.5 0 0 1 7 0v3',
  unlock: 'M5.5 10.5h13v10h-13z M8.5 10.5V7.5a3.5 3.5 0 0 1 6.8-1.2',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z M12 7.5V12l3 2',
  pin: 'M9 4h6l-.6 6 3.1 3.5h-11L9.6 10z M12 13.5v7',
  flag: 'M5.5 21V4 M5.5 4.5h12l-2.5 4.25 2.5 4.25h-12',
  bin: 'M4.5 6.5h15 M9.5 6.5v-3h5v3 M6.5 6.5l1 14h9l1-14 M10.5 10.5v6 M13.5 10.5v6',
} as const;

export type MenuIconName = keyof typeof paths | Extract<IconName, 'pencil' | 'bookmark' | 'bell' | 'reply' | 'feed'>;

const isHere = (name: MenuIconName): name is keyof typeof paths => name in paths;

export const MenuIcon = ({ name }: { name: MenuIconName }) =>
  isHere(name) ? (
    <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  ) : (
    <Icon name={name} />
  );
