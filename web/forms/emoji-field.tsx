import { use, useLayoutEffect, useRef, useState } from 'react';
import type { FormFields } from '#contract/page-data.ts';
import { FormError } from '../ui/form-error.tsx';
import radio from '../ui/radio-group.module.css';
import { type EmojiChoices, faces } from './emoji-choices.ts';
import styles from './emoji-field.module.css';
import { Field, type Judgement, useField } from './fields.tsx';
import { FormStateContext } from './form-host.ts';

/** The value of the choice whose emoji is typed. */
const typedOne = 'typed';

const typedName = (name: string): string => `${name}_typed`;

/** The emoji that was chosen in the field of this name, or typed; empty for none. */
export function emojiIn(fields: FormFields, name: string): string {
  const chosen = fields[name] ?? '';
  return chosen === typedOne ? (fields[typedName(name)] ?? '') : chosen;
}

interface EmojiFieldProps {
  name: string;
  legend: string;
  value: string;
  choices?: EmojiChoices;
  /** The words about what is shown if no emoji is chosen. */
  note: string;
  check: (typed: string) => Judgement;
}

/** The choice of one emoji: an offered one, or any other one that is typed. */
export function EmojiField(props: EmojiFieldProps) {
  const { name, legend, value, choices = faces, note, check } = props;
  const { values } = use(FormStateContext);
  const { initial, refused, isBusy } = useField(name, value);
  const isOffered = initial === '' || choices.some(([emoji]) => emoji === initial);
  const first = isOffered ? initial : typedOne;
  const typed = values?.[typedName(name)] ?? (isOffered ? '' : initial);
  const [isTyped, setTyped] = useState(first === typedOne);
  const group = useRef<HTMLFieldSetElement>(null);
  const see = () => setTyped(group.current!.querySelector<HTMLInputElement>(':checked')?.value === typedOne);
  // Takes over a choice that was made before the script arrived.
  useLayoutEffect(see, []);

  const choice = (id: string) => ({
    type: 'radio',
    name,
    value: id,
    defaultChecked: id === first,
  });
  return (
    <fieldset ref={group} className={radio.group} aria-disabled={isBusy || undefined} onChange={see}>
      <legend className={radio.legend}>{legend}</legend>
      <div>
        <label className={radio.choice}>
          <input {...choice('')} className={radio.radio} /> Без значка: {note}
        </label>
      </div>
      <div className={styles.grid}>
        {choices.map(([emoji, words]) => (
          // The <div> gives each choice a line of its own in text browsers.
          <div key={emoji}>
            <label className={styles.choice}>
              <input {...choice(emoji)} className={styles.radio} aria-label={words} />{' '}
              <span className={styles.emoji}>{emoji}</span>
            </label>
          </div>
        ))}
      </div>
      <div>
        <label className={radio.choice}>
          <input {...choice(typedOne)} className={radio.radio} /> Другой
        </label>
      </div>
      <div className={styles.typed}>
        <Field
          name={typedName(name)}
          label="Любой эмодзи"
          value={typed}
          autoComplete="off"
          isPatient
          check={(text) => (!isTyped ? { isGood: true } : text.trim() === '' ? { isGood: false } : check(text))}
        />
      </div>
      <FormError>{refused}</FormError>
    </fieldset>
  );
}
