import { addresses } from '#contract/addresses.ts';
import { newOwnerCode } from '../../features/moderation/invites.ts';
import type { Command } from './command.ts';
import { CommandError } from './terminal.ts';

export const ownerLink: Command = {
  name: 'owner-link',
  options: [],
  summary: 'ссылка, по которой становятся владельцем пустой стены; стена печатает такую же при запуске',
  async run({ db, config, now, secrets }) {
    const code = await newOwnerCode(db, await secrets(), now);
    if (code === undefined)
      throw new CommandError('На стене уже есть люди. Владельца назначает: appoint ИМЯ --owner --reason "…".');
    const url = config.publicUrl + addresses.ownerLink.href({ code });
    return { json: { url }, text: `Действует сутки, пока владельца нет: ${url}` };
  },
};
