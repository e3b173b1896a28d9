import type { Config } from '../../config.ts';
import { openTransport } from '../transport.ts';
import { checkRecords, type Dns, type Finding, type Sender } from './records.ts';

/** The records that mails need, and what else keeps them from arriving. */
export async function findRecords(config: Config, dns: Dns, sender: Sender): Promise<Finding[]> {
  return [
    ...(config.smtpUrl === undefined ? [noServer] : []),
    ...(config.dkim ? [] : [unsigned(sender)]),
    ...(await checkRecords(dns, sender, config.dkim)),
  ];
}

export const noServer: Finding = {
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

/** The mail server's response to a letter. */
export async function sendTrial(config: Config, recipient: string, appName = config.appName): Promise<Finding> {
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
