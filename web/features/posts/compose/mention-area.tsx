import {
  type ChangeEvent,
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { limits } from '#contract/limits.ts';
import type { Owner } from '#contract/posts.ts';
import { isNamedLike } from '#contract/profile-text.ts';
import { sameUsername } from '#contract/username.ts';
import { call } from '../../../lib/api.ts';
import { Face } from '../../../ui/face.tsx';
import listbox from '../../../ui/select-listbox.module.css';
import { TextArea } from '../../../ui/text-area.tsx';
import { type Mention, mentionAt, withMention } from './typed-text.ts';
import styles from './mention-list.module.css';

/** The pause in typing after which suggestions are requested. */
const pauseMs = 200;

interface Suggestions {
  typed: string;
  users: readonly Owner[];
}

const nobody: Suggestions = { typed: '', users: [] };

/**
 * The people whom the typed part of a mention may mean. Empty while no mention is typed (null), when the request fails, and when
 * the only suggestion is the person whose whole name is typed.
 */
function useSuggestions(typed: string | null, postId: string | null): readonly Owner[] {
  const [found, setFound] = useState(nobody);

  useEffect(() => {
    // A new post has no discussion whose people could be suggested.
    if (typed === null || (typed === '' && postId === null)) return undefined;
    const asking = new AbortController();
    const { signal } = asking;
    const ask = async () => {
      const query = { q: typed, ...(postId !== null && { post_id: postId }) };
      const { users } = await call('GET /users/suggestions', { query, signal }).catch(() => nobody);
      if (!signal.aborted) setFound({ typed, users });
    };
    const timer = setTimeout(ask, pauseMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [typed, postId]);

  // Until the next response arrives, the people of the last one are filtered by what has been typed since.
  if (!typed?.startsWith(found.typed)) return nobody.users;
  const users = found.users.filter((user) => isNamedLike(user, typed));
  return users.length === 1 && sameUsername(users[0]!.username, typed) ? nobody.users : users;
}

/**
 * Keeps a list in the top layer at the edge of a field until the returned function is called. The list is below the field, or
 * above it if there is more room and too little below. CSS anchors would ignore a keyboard that covers a part of the page.
 */
function placeBeside(list: HTMLElement, field: HTMLElement): () => void {
  const viewport = window.visualViewport;
  const place = () => {
    const { top, bottom, left, width } = field.getBoundingClientRect();
    const start = viewport?.offsetTop ?? 0;
    const above = top - start;
    const below = start + (viewport?.height ?? innerHeight) - bottom;
    const enough = limits.suggestions * (list.firstElementChild?.clientHeight ?? 0);
    const isAbove = below < enough && below < above;
    list.toggleAttribute('data-above', isAbove);
    list.style.setProperty('--edge', `${isAbove ? top : bottom}px`);
    list.style.setProperty('--start', `${left}px`);
    list.style.setProperty('--width', `${width}px`);
    list.style.setProperty('--room', `${isAbove ? above : below}px`);
  };

  place();
  const onEach = (change: 'addEventListener' | 'removeEventListener') => {
    viewport?.[change]('resize', place);
    viewport?.[change]('scroll', place);
    window[change]('resize', place);
    window[change]('scroll', place, true);
  };
  onEach('addEventListener');
  return () => onEach('removeEventListener');
}

interface MentionListProps {
  id: string;
  /** The field at whose edge the list stands. */
  field: RefObject<HTMLTextAreaElement | null>;
  people: readonly Owner[];
  /** The index of the person whom Enter or Tab takes. */
  active: number;
  onMove: (index: number) => void;
  onTake: (person: Owner) => void;
}

/** The id of an option, for `aria-activedescendant`. */
const optionId = (listId: string, index: number): string => `${listId}${index}`;

/** The people who are suggested while a mention is typed. The focus stays in the text area. */
function MentionList({ id, field, people, active, onMove, onTake }: MentionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current!.togglePopover(true);
    return placeBeside(list.current!, field.current!);
  });
  useLayoutEffect(() => {
    list.current!.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  return (
    <div
      ref={list}
      id={id}
      className={styles.list}
      role="listbox"
      tabIndex={-1}
      aria-label="Кого упомянуть"
      popover="manual"
      // A click must not move the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {people.map((person, index) => (
        <div
          key={person.id}
          id={optionId(id, index)}
          className={`${listbox.option} ${styles.person}`}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // A finger that moves over the list scrolls it, so only the mouse changes the active person.
          onPointerMove={({ pointerType }) => pointerType === 'mouse' && onMove(index)}
          onClick={() => onTake(person)}
        >
          <Face of={person} />
          {person.display_name !== null && <bdi className={styles.name}>{person.display_name}</bdi>}
          <bdi className={styles.username}>@{person.username}</bdi>
        </div>
      ))}
    </div>
  );
}

interface MentionAreaProps extends Omit<ComponentProps<typeof TextArea>, 'onChange'> {
  /** A post of the discussion whose people are suggested first. */
  postId: string | null;
  onChange: (text: string) => void;
}

/** For each key, the next index in a list of `count` people. */
const steps: Record<string, (active: number, count: number) => number> = {
  ArrowDown: (active, count) => (active + 1) % count,
  ArrowUp: (active, count) => (active + count - 1) % count,
};

/**
 * A text area that suggests people while a mention is typed. It remains a textbox: in HTML a text area cannot be a combobox,
 * and a textbox may have an active descendant.
 */
export function MentionArea({ postId, value, onChange, fieldRef, ...rest }: MentionAreaProps) {
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(fieldRef, () => field.current!, []);
  const [mention, setMention] = useState<(Mention & { isClosed: boolean }) | null>(null);
  const [moved, setMoved] = useState(0);
  const people = useSuggestions(mention === null || mention.isClosed ? null : mention.typed, postId);
  const active = Math.min(moved, people.length - 1);
  const isOpen = people.length > 0;

  const type = ({ target }: ChangeEvent<HTMLTextAreaElement>) => {
    onChange(target.value);
    const typed = mentionAt(target.value, target.selectionEnd);
    // A closed list stays closed until the next mention.
    setMention((last) => typed && { ...typed, isClosed: last?.from === typed.from && last.isClosed });
    setMoved(0);
  };
  const take = ({ username }: Owner) => {
    const { text, caret } = withMention(value, mention!, username);
    flushSync(() => {
      onChange(text);
      setMention(null);
    });
    field.current!.focus();
    field.current!.setSelectionRange(caret, caret);
  };

  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (!isOpen || event.nativeEvent.isComposing) return;
    if (ctrlKey || metaKey || altKey || shiftKey) {
      // Ctrl+Enter sends the form. The list closes, because it could cover an error of the form.
      if (key === 'Enter') setMention(null);
      return;
    }
    const step = steps[key];
    if (step) setMoved(step(active, people.length));
    else if (key === 'Enter' || key === 'Tab') take(people[active]!);
    else if (key === 'Escape') setMention({ ...mention!, isClosed: true });
    else return;
    // Neither the text area nor the dialog around it handles the key.
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <TextArea
        {...rest}
        value={value}
        fieldRef={field}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? optionId(listId, active) : undefined}
        onChange={type}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => {
          setMention((open) => (open && selectionStart === open.to && selectionEnd === open.to ? open : null));
        }}
        onKeyDown={press}
        onBlur={() => setMention(null)}
      />
      {isOpen && (
        <MentionList id={listId} field={field} people={people} active={active} onMove={setMoved} onTake={take} />
      )}
    </>
  );
}
