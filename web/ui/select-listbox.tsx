import { useId, useRef, useState, type KeyboardEvent, type ToggleEvent } from 'react';
import { limits } from '#contract/limits.ts';
import visuallyHidden from './visually-hidden.module.css';
import iconButton from './icon-button.module.css';
import { Icon } from './icon.tsx';
import styles from './select-listbox.module.css';
import { createTypeahead } from './typeahead.ts';

interface SelectListboxProps<Option extends { name: string }> {
  label: string;
  /** The name of the current choice. It need not be one of the options. */
  value: string;
  options: readonly Option[];
  onChoose: (option: Option) => void;
}

/** For each key, the next index in a list of `count` options. `active` is -1 before the first option. */
const steps: Record<string, (active: number, count: number) => number> = {
  ArrowDown: (active, count) => Math.min(active + 1, count - 1),
  ArrowUp: (active) => Math.max(active - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A chevron that opens a list of options (ARIA select-only combobox). The focus stays on the chevron. */
export function SelectListbox<Option extends { name: string }>(props: SelectListboxProps<Option>) {
  const { label, value, options, onChoose } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  /** Whether the list was open on pointerdown: the browser closes it before the click. */
  const wasOpen = useRef(false);
  const [typeahead] = useState(() => createTypeahead(limits.typeaheadMs));

  const show = ({ newState }: ToggleEvent) => {
    setOpen(newState === 'open');
    setActive(-1);
    // Safari does not focus a button on click.
    if (newState === 'open') button.current?.focus();
  };
  const moveTo = (index: number) => {
    list.current?.togglePopover(true);
    setActive(index);
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
        className={`${iconButton.button} ${styles.button}`}
        role="combobox"
        aria-label={label}
        aria-expanded={open}
        aria-controls={`${id}list`}
        aria-activedescendant={open && active >= 0 ? `${id}${active}` : undefined}
        onPointerDown={() => {
          wasOpen.current = open;
        }}
        // `popovertarget` is not used, because it does not allow aria-expanded, which a combobox needs.
        onClick={() => {
          list.current?.togglePopover(!open && !wasOpen.current);
          wasOpen.current = false;
        }}
        onKeyDown={press}
        // Firefox clicks on keyup of the space bar even if keydown was prevented.
        onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
      >
        <span className={visuallyHidden.always}>{value}</span>
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
        onBeforeToggle={show}
        // A click must not move the focus.
        onMouseDown={(event) => event.preventDefault()}
      >
        {options.map((option, index) => (
          <div
            key={option.name}
            id={`${id}${index}`}
            className={styles.option}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onPointerMove={() => setActive(index)}
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
