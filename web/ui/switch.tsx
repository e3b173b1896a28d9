import styles from './switch.module.css';

interface SwitchProps {
  label: string;
  checked: boolean;
  /** The id of an explanation. */
  describedBy?: string;
  onChange: (checked: boolean) => void;
}

/** A setting that takes effect at once. */
export function Switch({ label, checked, describedBy, onChange }: SwitchProps) {
  return (
    <label className={styles.label}>
      {label}
      <input
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={checked}
        aria-checked={checked}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}
