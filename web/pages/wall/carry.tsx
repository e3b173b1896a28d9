import { addresses } from '#contract/addresses.ts';
import type { Carry } from '#contract/carries.ts';
import type { WallAdmin } from '#contract/wall-admin.ts';
import { Choices } from '../../forms/fields.tsx';
import { CarryForm } from '../carry-form.tsx';
import { carryLetters, carryOthers, valuesOf } from './save-settings.ts';
import { SettingsForm } from './settings.tsx';
import styles from './wall-admin.module.css';

interface CarryWallProps extends Pick<WallAdmin, 'settings' | 'invite_terms'> {
  carry: Carry | undefined;
}

/** The whole wall in one file, and what members may take. */
export function CarryWall({ carry, settings, invite_terms: terms }: CarryWallProps) {
  const values = valuesOf(settings, terms);
  return (
    <>
      <section className={styles.section} aria-label="Файл">
        <CarryForm carry={carry} at={addresses.keep.href({}, { part: 'carry' })} asksYear />
      </section>
      <section className={styles.section} aria-label="Что уносят участники">
        <SettingsForm values={values}>
          <Choices
            name="carry_others"
            legend="Участник уносит свои записи"
            choices={carryOthers}
            chosen={values['carry_others']}
          />
          <Choices
            name="carry_letters"
            legend="Вся стена файлом в письме раз в месяц"
            choices={carryLetters}
            chosen={values['carry_letters']}
          />
        </SettingsForm>
      </section>
    </>
  );
}
