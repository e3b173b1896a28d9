import { useId } from 'react';
import styles from './radio-group.module.css';

interface RadioGroupProps {
  legend: string;
  choices: readonly { id: string; name: string }[];
  chosen: string | null;
  disabled: boolean;
  /** The id of an explanation. */
  describedBy?: string;
  onChoose: (id: string) => void;
}

export function RadioGroup({ legend, choices, chosen, disabled, describedBy, onChoose }: RadioGroupProps) {
  const name = useId();
  return (
    <fieldset className={styles.group} disabled={disabled} aria-describedby={describedBy}>
      <legend className={styles.legend}>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.id} className={styles.choice}>
          <input
            type="radio"
            className={styles.radio}
            name={name}
            value={choice.id}
            checked={choice.id === chosen}
            onChange={() => onChoose(choice.id)}
          />
          {choice.name}
        </label>
      ))}
    </fieldset>
  );
}
