import { normalizeEmail } from '#contract/email.ts';
import { readWallSettings } from '../../../features/wall-texts/wall-settings.ts';
import { type Command } from '../command.ts';
import { CommandError, toLine } from '../terminal.ts';
import { type Dns, type Finding, findRecords, senderOf, sendTrial, systemDns } from '../../../mail/check/records.ts';

/** Shows the DNS records that mails need, as they should be and as they are. */
export const mailCheckWith = (dns: Dns): Command => ({
  name: 'mail-check',
  target: '[АДРЕС]',
  options: [],
  summary: 'дойдут ли письма: записи SPF, DKIM, DMARC, MX и PTR; с адресом — ещё и пробное письмо',
  async run({ db, config, target, now }) {
    const recipient = target === undefined ? undefined : normalizeEmail(target);
    if (target !== undefined && recipient === undefined)
      throw new CommandError(`Это не адрес почты: ${toLine(target)}.`);
    const sender = await senderOf(config, dns).catch((error: NodeJS.ErrnoException) => {
      throw error.code === undefined ? error : new CommandError(`DNS не отвечает: ${toLine(error.message)}.`);
    });
    const { name } = await readWallSettings(db.read);
    const findings = [
      ...(await findRecords(config, dns, sender)),
      // Without a mail server, the findings already say that no letter leaves.
      ...(recipient === undefined || config.smtpUrl === undefined
        ? []
        : [await sendTrial({ db, config, now }, recipient, name)]),
    ];
    const from = sender.addresses.length > 0 ? `, отправляет ${sender.addresses.join(', ')}` : '';
    return {
      json: { domain: sender.domain, addresses: sender.addresses, findings },
      text: [`Письма от имени ${sender.domain}${from}`, '', ...findings.map(described)].join('\n'),
      failed: findings.some(({ state }) => state === 'missing' || state === 'unknown'),
    };
  },
});

export const mailCheck = mailCheckWith(systemDns());

const words: Record<Finding['state'], string> = {
  good: 'в порядке',
  missing: 'ИСПРАВИТЬ',
  unknown: 'НЕИЗВЕСТНО',
  unchecked: 'сверьте',
};

/** Records and replies of servers are untrusted, so `toLine` escapes them. */
function described({ check, state, text, expected, found }: Finding): string {
  const heading = `${words[state].padEnd(10)}  ${check}: ${toLine(text)}`;
  if (expected === undefined) return heading;
  const records = found && [found.length > 0 ? 'найдено' : 'не найдено', ...found].map(toLine).join('\n              ');
  return [heading, `нужно\n              ${toLine(expected)}`, ...(records ? [records] : [])].join('\n            ');
}
