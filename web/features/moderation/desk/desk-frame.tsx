import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import styles from './desk-frame.module.css';

const sections = [
  ['queue', addresses.moderation.href(), 'Жалобы'],
  ['waiting', addresses.moderationWaiting.href(), 'Новички'],
  ['people', addresses.moderationSection.href({ section: 'people' }), 'Люди'],
  ['invites', addresses.moderationSection.href({ section: 'invites' }), 'Приглашения'],
  ['journal', addresses.moderationSection.href({ section: 'journal' }), 'Журнал'],
  ['pin', addresses.moderationSection.href({ section: 'pin' }), 'Объявление'],
] as const;

interface DeskFrameProps {
  section: (typeof sections)[number][0] | 'blocked' | 'imported';
  children: ReactNode;
}

/** The links between the pages of the desk, above each of them. */
export function DeskFrame({ section, children }: DeskFrameProps) {
  const current = section === 'blocked' || section === 'imported' ? 'people' : section;
  return (
    <>
      <nav className={styles.sections} aria-label="Модерация">
        {sections.map(([id, href, name]) => (
          <a key={id} href={href} {...(id === current && { 'aria-current': 'page', ref: scrollTo })}>
            {name}
          </a>
        ))}
      </nav>
      {children}
    </>
  );
}

/** Shows the whole link of a row that is wider than the window. The page must not scroll, so not `scrollIntoView`. */
function scrollTo(link: HTMLElement | null): void {
  const row = link?.parentElement;
  if (link && row) row.scrollLeft = link.offsetLeft + link.offsetWidth - row.offsetLeft - row.clientWidth;
}
