import { useId, useRef, useState } from 'react';
import formStyles from '../../forms/form.module.css';
import { showToast } from '../../lib/toasts.ts';
import toggle from '../../ui/switch.module.css';
import { useLoaded } from '../session/use-loaded.ts';
import { explainPush, readDevice, turnOff, turnOn } from './device-push.ts';

interface SwitchProps {
  label: string;
  note?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function DeviceSwitch({ label, note, isOn, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div>
      <label className={toggle.label}>
        <input
          type="checkbox"
          // A checkbox says by itself whether it is checked.
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
          role="switch"
          className={toggle.switch}
          checked={isOn}
          aria-describedby={note === undefined ? undefined : id}
          onChange={({ target }) => onChange(target.checked)}
        />{' '}
        {label}
      </label>
      {note !== undefined && (
        <p id={id} className={formStyles.note}>
          {note}
        </p>
      )}
    </div>
  );
}

/** Applies a change after the change before it has ended. */
async function apply({ isOn, hidesText }: { isOn: boolean; hidesText: boolean }, before: Promise<void>): Promise<void> {
  await before;
  try {
    await (isOn ? turnOn(hidesText) : turnOff());
    showToast('Сохранено');
  } catch (error) {
    showToast(explainPush(error));
  }
}

/** The switches for messages to this device. Renders nothing where the browser cannot receive any. */
export function PushSettings() {
  const { loaded, load } = useLoaded(readDevice);
  const last = useRef(Promise.resolve());
  const [wanted, setWanted] = useState<{ isOn: boolean; hidesText: boolean } | null>(null);
  if (loaded.is !== 'here' || loaded.value === 'impossible') return null;
  if (loaded.value === 'denied') {
    return (
      <p className={formStyles.note}>
        На это устройство уведомления не приходят: браузер запретил их этому сайту. Разрешить можно в настройках
        браузера.
      </p>
    );
  }
  const { isOn, hidesText } = wanted ?? loaded.value;
  /** Shows a change at once. It is applied after the changes before it. */
  const change = async (next: { isOn: boolean; hidesText: boolean }) => {
    setWanted(next);
    const before = last.current;
    const own = (last.current = apply(next, before));
    await own;
    await load();
    if (last.current === own) setWanted(null);
  };
  return (
    <section aria-label="Это устройство">
      <DeviceSwitch
        label="Присылать ответы на это устройство"
        note="И упоминания, и новое в обсуждениях, за которыми вы следите."
        isOn={isOn}
        onChange={(next) => void change({ isOn: next, hidesText: false })}
      />
      {isOn && (
        <DeviceSwitch
          label="Без текста"
          note="На экране будет только имя автора."
          isOn={hidesText}
          onChange={(next) => void change({ isOn: true, hidesText: next })}
        />
      )}
    </section>
  );
}
