import { useId, useRef, useState, type KeyboardEvent, type ToggleEvent } from 'react';
import hidden from './hidden.module.css';
import { Icon } from './icon.tsx';
import styles from './select-listbox.module.css';
import { createTypeahead } from './typeahead.ts';

interface SelectListboxProps<Option extends { name: string }> {
  label: string;
  /** The name of what is chosen now; it needs no place among the options. */
  value: string;
  options: readonly Option[];
  typeaheadMs: number;
  onChoose: (option: Option) => void;
}

/** The keys that walk a list of `count`, and where they lead from the place `active`, -1 before its beginning. */
const steps: Record<string, (active: number, count: number) => number> = {
  ArrowDown: (active, count) => Math.min(active + 1, count - 1),
  ArrowUp: (active) => Math.max(active - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A chevron that drops a list to choose from (ARIA select-only combobox): the focus stays on it all the while. */
export function SelectListbox<Option extends { name: string }>(props: SelectListboxProps<Option>) {
  const { label, value, options, typeaheadMs, onChoose } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  /** Going down on the button, the pointer found the list open. The browser closes it before the click. */
  const wasOpen = useRef(false);
  const [typeahead] = useState(() => createTypeahead(typeaheadMs));

  const follow = ({ newState }: ToggleEvent) => {
    setOpen(newState === 'open');
    setActive(-1);
    // Safari gives no focus to a button that is clicked.
    if (newState === 'open') button.current?.focus();
  };
  const moveTo = (place: number) => {
    list.current?.togglePopover(true);
    setActive(place);
  };
  const choose = (option: Option) => {
    list.current?.togglePopover(false);
    onChoose(option);
  };

  const press = (event: KeyboardEvent) => {
    const { key, timeStamp } = event;
    const chosen = options[active];
    const step = steps[key];
    if (key === 'Tab') list.current?.togglePopover(false);
    if (key === 'Tab' || event.ctrlKey || event.metaKey) return;
    if (step) {
      moveTo(step(active, options.length));
    } else if (key === 'Enter' || (key === ' ' && !typeahead.isTyping(timeStamp))) {
      if (chosen) choose(chosen);
      else moveTo(0);
    } else if (isCharacter(key) && !event.altKey) {
      const names = options.map(({ name }) => name);
      const found = typeahead.type(key, { at: timeStamp, names, current: active });
      moveTo(found < 0 ? active : found);
    } else return;
    event.preventDefault();
  };

  return (
    <div className={styles.select}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        role="combobox"
        aria-label={label}
        aria-expanded={open}
        aria-controls={`${id}list`}
        aria-activedescendant={open && active >= 0 ? `${id}${active}` : undefined}
        onPointerDown={() => {
          wasOpen.current = open;
        }}
        // By hand: `popovertarget` forbids aria-expanded, which a combobox must have.
        onClick={() => {
          list.current?.togglePopover(!open && !wasOpen.current);
          wasOpen.current = false;
        }}
        onKeyDown={press}
        // Firefox clicks when the space bar comes up, whatever became of its going down.
        onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
      >
        <span className={hidden.always}>{value}</span>
        <Icon name="chevron" />
      </button>
      <div
        ref={list}
        id={`${id}list`}
        className={styles.list}
        role="listbox"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onBeforeToggle={follow}
        // A click here must not take the focus away.
        onMouseDown={(event) => event.preventDefault()}
      >
        {options.map((option, place) => (
          <div
            key={option.name}
            id={`${id}${place}`}
            className={styles.option}
            role="option"
            aria-selected={place === active}
            tabIndex={-1}
            onPointerMove={() => setActive(place)}
            onClick={() => choose(option)}
          >
            {option.name}
          </div>
        ))}
      </div>
    </div>
  );
}

const isCharacter = (key: string): boolean => [...key].length === 1;
