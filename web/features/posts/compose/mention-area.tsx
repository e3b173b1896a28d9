import { type ChangeEvent, type ComponentProps, type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Owner } from '#contract/posts.ts';
import { TextArea } from '../../../ui/text-area.tsx';
import { type Mention, mentionAt, withMention } from './mention-at.ts';
import { MentionList, optionId } from './mention-list.tsx';
import { useSuggestions } from './use-suggestions.ts';

interface MentionAreaProps extends Omit<ComponentProps<typeof TextArea>, 'onChange'> {
  /** A post of the discussion whose people are suggested first. */
  postId: string | null;
  onChange: (text: string) => void;
}

/** How a key moves in a list of `count` people. */
const steps: Record<string, (active: number, count: number) => number> = {
  ArrowDown: (active, count) => (active + 1) % count,
  ArrowUp: (active, count) => (active + count - 1) % count,
};

/**
 * A text area that suggests people while a mention is typed. It remains a textbox: in HTML a text area cannot be a combobox,
 * and a textbox may have an active descendant.
 */
export function MentionArea({ postId, value, onChange, ...rest }: MentionAreaProps) {
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
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
      // The form is sent, and may have an error to show.
      if (key === 'Enter') setMention(null);
      return;
    }
    const step = steps[key];
    if (step) setMoved(step(active, people.length));
    else if (key === 'Enter' || key === 'Tab') take(people[active]!);
    else if (key === 'Escape') setMention({ ...mention!, isClosed: true });
    else return;
    // Neither the text area nor the dialog or form around it handles the key.
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
