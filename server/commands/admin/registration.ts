import { registrationMode } from '../../features/moderation/invites.ts';
import { actRegistration } from '../../features/moderation/settings-acts.ts';
import { type RegistrationMode, registrationModes } from '../../features/wall-texts/wall-settings.ts';
import { type Command, type Output } from './command.ts';
import { CommandError, toLine } from './terminal.ts';
import { acting } from './options.ts';

const modeNames: Record<RegistrationMode, string> = {
  open: 'открыта для всех',
  members: 'только по приглашениям участников и тех, кто ведёт стену',
  invite: 'только по приглашениям тех, кто ведёт стену',
  closed: 'закрыта',
};

export const registration: Command = {
  name: 'registration',
  target: `[${registrationModes.join('|')}]`,
  options: acting,
  summary:
    'кто может регистрироваться: все, по приглашениям (участников или ведущих стену), никто; без слова — как сейчас',
  async run({ db, target, act }) {
    if (target === undefined) return outputOf(await registrationMode(db.read));
    const mode = registrationModes.find((known) => known === target);
    if (!mode)
      throw new CommandError(`После registration бывает ${registrationModes.join(', ')}, а не «${toLine(target)}».`);
    const by = act();
    const outcome = await db.tx((tx) => actRegistration(tx, mode, by));
    if ('refused' in outcome) throw new CommandError(`Регистрация уже ${modeNames[mode]}.`);
    return outputOf(mode);
  },
};

const outputOf = (mode: RegistrationMode): Output => ({
  json: { mode },
  text: `Регистрация ${modeNames[mode]}.`,
});
