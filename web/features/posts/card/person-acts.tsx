import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { Owner } from '#contract/posts.ts';
import { useObservable } from '../../../lib/observable.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { useMuteToggle } from '../../mutes/mute-toggle.ts';
import { usePerform } from '../../session/actions.ts';
import { useSessionState } from '../../session/session.ts';
import { MenuButton } from './post-menu-button.tsx';
import { authors } from './post-choice.ts';

interface PersonActsProps {
  author: Pick<Owner, 'id' | 'username'>;
  /** The server's answer on a page for this person; undefined on a page that is the same for everyone. */
  isFollowed: boolean | undefined;
  menuName: string;
}

/** The button that follows the author of a page, and the menu that mutes them. A muted author cannot be followed. */
export function PersonActs({ author, isFollowed, menuName }: PersonActsProps) {
  const perform = usePerform();
  const { is } = useSessionState();
  const { isMuted, toggle } = useMuteToggle(author.id);
  const subject = { owner: author };
  const chosen = useObservable(authors.states, (known) => known.get(authors.keyOf(subject))) ?? isFollowed;
  const isKnown = is === 'signed-out' || chosen !== undefined;

  const ask = useEffectEvent(() => void authors.ask(subject));
  useEffect(() => {
    if (is === 'authorized' && isFollowed === undefined) ask();
  }, [is, isFollowed, author.id]);

  const follow = () => (chosen ? authors.change(subject, false) : perform({ kind: 'author', author }));
  return (
    <>
      <Button
        data-pending={!isKnown || isMuted || undefined}
        onClick={({ detail }) => {
          // The second click of a double click would undo the first.
          if (detail < 2) follow();
        }}
      >
        {chosen ? 'Не следить' : 'Следить'}
      </Button>
      <PersonMenu name={menuName} isMuted={isMuted} onMute={toggle} />
    </>
  );
}

function PersonMenu({ name, isMuted, onMute }: { name: string; isMuted: boolean; onMute: () => void }) {
  const menuId = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <MenuButton label={name} menuId={menuId} open={isOpen} onOpen={() => setIsOpen(true)} />
      {isOpen && (
        <Menu id={menuId} label={name} onClose={() => setIsOpen(false)}>
          <MenuItem onChoose={onMute}>{isMuted ? 'Показывать автора' : 'Не показывать автора'}</MenuItem>
        </Menu>
      )}
    </>
  );
}
