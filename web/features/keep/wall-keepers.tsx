import { addresses } from '#contract/addresses.ts';
import type { Keep } from '#contract/keep.ts';
import { PersonNames } from '../../ui/person-names.tsx';
import { roleNames } from '../moderation/role-names.ts';
import { Section } from './section.tsx';
import styles from './section.module.css';

/** The people who keep the wall, and links to change that. */
export function WallKeepers({ keepers }: { keepers: Keep['keepers'] }) {
  return (
    <Section id="keepers" title="Кто ведёт стену">
      <ul className={styles.list} aria-label="Кто ведёт стену">
        {keepers.map((keeper) => (
          <li key={keeper.id}>
            <a href={addresses.moderationPerson.href(keeper)}>
              <PersonNames {...keeper} />
            </a>{' '}
            <span className={styles.quiet}>{roleNames[keeper.role]}</span>
          </li>
        ))}
      </ul>
      <p className={styles.links}>
        <a href={addresses.moderationSection.href({ section: 'people' })}>Назначить модератора</a>
        <a href={addresses.moderationSection.href({ section: 'invites' })}>Приглашения</a>
        <a href={addresses.moderationSection.href({ section: 'pin' })}>Объявление</a>
      </p>
    </Section>
  );
}
