import { normalizeEmail } from '#contract/email.ts';
import type { Config } from '../../../config.ts';
import { openTransport } from '../../../mail/transport.ts';
import type { Command } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { line } from '../terminal.ts';
import { checkRecords, type Dns, type Finding, type Sender, systemDns } from './records.ts';
import { senderOf } from './sender.ts';

/** Shows the DNS records that mails need, as they should be and as they are. */
export const mailCheckWith = (dns: Dns): Command => ({
  name: 'mail-check',
  target: '[АДРЕС]',
  options: [],
  summary: 'дойдут ли письма: записи SPF, DKIM, DMARC, MX и PTR; с адресом — ещё и пробное письмо',
  async run({ config, target }) {
    const recipient = target === undefined ? undefined : normalizeEmail(target);
    if (target !== undefined && recipient === undefined) throw new CommandError(`Это не адрес почты: ${line(target)}.`);
    const sender = await senderOf(config, dns).catch((error: NodeJS.ErrnoException) => {
      throw error.code === undefined ? error : new CommandError(`DNS не отвечает: ${line(error.message)}.`);
    });
    const findings = [
      ...(config.smtpUrl === undefined ? [noServer] : []),
      ...(config.dkim ? [] : [unsigned(sender)]),
      ...(await checkRecords(dns, sender, config.dkim)),
      ...(recipient === undefined ? [] : [await sendTrial(config, recipient)]),
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

const noServer: Finding = {
  check: 'SMTP',
  state: 'missing',
  text: 'SMTP_URL не задан: письма никому не отправляются, а складываются в DATA_DIR/mail',
};

const unsigned = ({ host, isService }: Sender): Finding =>
  isService
    ? { check: 'DKIM', state: 'unchecked', text: `письма подписывает только сервис ${host}, если это включено у него` }
    : {
        check: 'DKIM',
        state: 'missing',
        text: 'письма не подписываются. Задайте DKIM_KEY_FILE и DKIM_SELECTOR: docs/guide/mail.md, «Подпись DKIM»',
      };

async function sendTrial(config: Config, recipient: string): Promise<Finding> {
  const { appName } = config;
  const transport = openTransport(config, () => {});
  try {
    await transport.send(recipient, {
      subject: `Проверка почты — ${appName}`,
      paragraphs: [
        'Это пробное письмо: так проверяют, доходят ли письма со стены.',
        'Если оно попало в спам, откройте его источник: в заголовке Authentication-Results написано, что из SPF, DKIM и DMARC не сошлось.',
      ],
      appName,
    });
    return { check: 'Письмо', state: 'good', text: `почтовый сервер принял пробное письмо для ${recipient}` };
  } catch (error) {
    return { check: 'Письмо', state: 'missing', text: `почтовый сервер не принял его: ${(error as Error).message}` };
  } finally {
    transport.close();
  }
}

const words: Record<Finding['state'], string> = {
  good: 'в порядке',
  missing: 'ИСПРАВИТЬ',
  unknown: 'НЕИЗВЕСТНО',
  unchecked: 'сверьте',
};

/** Records and replies of servers are untrusted. */
function described({ check, state, text, expected, found }: Finding): string {
  const heading = `${words[state].padEnd(10)}  ${check}: ${line(text)}`;
  if (expected === undefined) return heading;
  const records = found && [found.length > 0 ? 'найдено' : 'не найдено', ...found].map(line).join('\n              ');
  return [heading, `нужно\n              ${line(expected)}`, ...(records ? [records] : [])].join('\n            ');
}
