import { createPublicKey } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { type Config, ConfigError, senderDomain } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { isPublic } from '../../public-address.ts';
import { countLetters, lockRoom, recordMail } from '../mail-state.ts';
import type { SmtpError } from '../refusals.ts';
import { openTransport } from '../transport.ts';

/** Any addresses on the internet would do. These are those of a.root-servers.net. */
const afar = { udp4: '198.41.0.4', udp6: '2001:503:ba3e::2:30' } as const;

/**
 * The addresses from which this machine sends. Connecting a UDP socket only looks up the route. Listing the interfaces needs
 * AF_NETLINK, which the service may not use.
 */
async function ownAddresses(): Promise<string[]> {
  const each = (['udp4', 'udp6'] as const).map(async (type) => {
    const socket = createSocket(type);
    try {
      socket.connect(53, afar[type]);
      await once(socket, 'connect');
      return [socket.address().address];
    } catch {
      // No route, or no such protocol.
      return [];
    } finally {
      socket.close();
    }
  });
  return (await Promise.all(each)).flat();
}

export async function senderOf(config: Config, dns: Dns): Promise<CheckedSender> {
  const domain = senderDomain(config);
  if (!domain.includes('.') || isIP(domain) !== 0) {
    throw new ConfigError(`MAIL_FROM: нужен адрес в вашем домене, а не ${config.mailFrom}.`);
  }
  if (config.smtpUrl === undefined) return { domain, host: undefined, addresses: [], isService: false };
  const host = new URL(config.smtpUrl).hostname.replace(/^\[(.+)\]$/, '$1');
  if (isIP(host) !== 0 && isPublic(host)) return { domain, host, addresses: [host], isService: false };
  const given = isIP(host) !== 0 || host === 'localhost' ? [] : await addressesOf(dns, host);
  const known = given.length > 0 ? given : await ownAddresses();
  return { domain, host, addresses: known.filter(isPublic), isService: given.length > 0 && !isRelated(host, domain) };
}

/** Whether both names end with the same two labels. */
function isRelated(host: string, domain: string): boolean {
  const end = (name: string): string => name.toLowerCase().split('.').slice(-2).join('.');
  return end(host) === end(domain);
}

/** Checks the DNS records that mails need, and settings without which mails do not arrive. */
export async function findRecords(config: Config, dns: Dns, sender: CheckedSender): Promise<Finding[]> {
  return [
    ...(config.smtpUrl === undefined ? [noServer] : []),
    ...(config.dkim ? [] : [unsigned(sender)]),
    ...(await checkRecords(dns, sender, config.dkim)),
  ];
}

export const noServer: Finding = {
  check: 'SMTP',
  state: 'missing',
  text: 'почтовый сервер не подключён: письма никому не уходят, а остаются файлами на машине стены (папка mail в DATA_DIR). Его указывает тот, у кого доступ к этой машине, настройкой SMTP_URL: docs/guide/mail.md',
};

const unsigned = ({ host, isService }: CheckedSender): Finding =>
  isService
    ? { check: 'DKIM', state: 'unchecked', text: `письма подписывает только сервис ${host}, если это включено у него` }
    : {
        check: 'DKIM',
        state: 'missing',
        text: 'письма не подписываются. Задайте DKIM_KEY_FILE и DKIM_SELECTOR: docs/guide/mail.md, «Подпись DKIM»',
      };

interface TrialOptions {
  db: Pick<Database, 'tx'>;
  config: Config;
  /** Unix seconds. */
  now: number;
}

/** Sends a letter through the mail server and records the outcome. The finding is the server's response. */
export async function sendTrial(
  { db, config, now }: TrialOptions,
  recipient: string,
  appName = config.appName,
): Promise<Finding> {
  const hasRoom = await db.tx(async (tx) => {
    const { others } = await lockRoom(tx, { ...config, now });
    if (others > 0) await countLetters(tx, 1, now, now);
    return others > 0;
  });
  if (!hasRoom) {
    const text = 'не отправлено: сейчас уходят только коды. Почему, сказано на странице «Хозяйство» → «Почта»';
    return { check: 'Письмо', state: 'unknown', text };
  }
  const transport = openTransport(config, () => {});
  const record = (error?: SmtpError) =>
    db.tx(async (tx) => {
      if (error) await countLetters(tx, -1, now);
      await recordMail(tx, { error, publicUrl: config.publicUrl, now });
    });
  try {
    await transport.send(recipient, {
      subject: `Проверка почты — ${appName}`,
      paragraphs: [
        'Это пробное письмо: так проверяют, доходят ли письма со стены.',
        'Если оно попало в спам, откройте его источник: в заголовке Authentication-Results написано, что из SPF, DKIM и DMARC не сошлось.',
      ],
      appName,
    });
  } catch (error) {
    await record(error as SmtpError);
    return { check: 'Письмо', state: 'missing', text: `почтовый сервер не принял его: ${(error as Error).message}` };
  } finally {
    transport.close();
  }
  await record();
  return { check: 'Письмо', state: 'good', text: `почтовый сервер принял пробное письмо для ${recipient}` };
}

/** The part of Node's `Resolver` that the checks use. */
export interface Dns {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  resolveTxt(name: string): Promise<string[][]>;
  resolveMx(name: string): Promise<Array<{ priority: number; exchange: string }>>;
  reverse(address: string): Promise<string[]>;
}

export const systemDns = (): Dns => new Resolver({ timeout: 3_000, tries: 2 });

export interface CheckedSender {
  /** Domain of MAIL_FROM. */
  domain: string;
  /** The host that hands the mails over to other mail servers; undefined if it is not known. */
  host: string | undefined;
  /** The public addresses of `host`. */
  addresses: string[];
  /** The host belongs to a mail service, which sends from other addresses than those of the host. */
  isService: boolean;
}

export interface Finding {
  check: 'SMTP' | 'SPF' | 'DKIM' | 'DMARC' | 'MX' | 'PTR' | 'Письмо';
  /** `unknown`: DNS did not respond; `unchecked`: the operator compares both values. */
  state: 'good' | 'missing' | 'unknown' | 'unchecked';
  /** The record, or what happened to the letter. In Russian. */
  text: string;
  expected?: string;
  found?: string[];
}

interface Lookup extends Omit<Finding, 'state'> {
  expected: string;
  query: Promise<string[]>;
  judge(found: string[]): Finding['state'];
}

/** Looks up the records of the sender's domain, all at once. */
function checkRecords(dns: Dns, sender: CheckedSender, dkim: Config['dkim']): Promise<Finding[]> {
  const { domain, addresses, isService } = sender;
  const hostName = sender.host?.includes('.') && !isService && isIP(sender.host) === 0 ? sender.host : `mail.${domain}`;
  const lookups: Lookup[] = [
    {
      check: 'SPF',
      text: `TXT для ${domain}`,
      expected: `v=spf1 ${isService ? 'include:…' : addresses.map(spfTerm).join(' ') || 'mx'} -all`,
      query: texts(dns, domain, /^v=spf1( |$)/i),
      // A record without the addresses is not wrong: a network, a name or an included record may contain them, which only
      // receivers evaluate. The operator has to compare it.
      judge: ([record, ...others]) =>
        record === undefined || others.length > 0
          ? 'missing'
          : addresses.length > 0 && !isService && addresses.every((each) => record.split(' ').includes(spfTerm(each)))
            ? 'good'
            : 'unchecked',
    },
    ...(dkim ? [dkimLookup(dns, domain, dkim)] : []),
    {
      check: 'DMARC',
      text: `TXT для _dmarc.${domain}`,
      expected: `v=DMARC1; p=none; rua=mailto:postmaster@${domain}`,
      query: dmarcRecords(dns, domain),
      judge: (found) =>
        found.length === 1 && /;\s*p\s*=\s*(none|quarantine|reject)\b/i.test(found[0]!) ? 'good' : 'missing',
    },
    {
      check: 'MX',
      text: `MX для ${domain}`,
      expected: `10 ${hostName}`,
      query: none(dns.resolveMx(domain)).then((all) => all.map(({ priority, exchange }) => `${priority} ${exchange}`)),
      judge: (found) => (found.some((each) => /\w$/.test(each)) ? 'good' : 'missing'),
    },
    ...(isService ? [] : addresses).map((address): Lookup => ({
      check: 'PTR',
      text: `PTR для ${address}, и имя ведёт обратно на него`,
      expected: hostName,
      query: namesBothWays(dns, address),
      judge: (found) => (found.length > 0 ? 'good' : 'missing'),
    })),
  ];
  return Promise.all(lookups.map(carryOut));
}

async function carryOut({ check, text, expected, query, judge }: Lookup): Promise<Finding> {
  try {
    const found = await query;
    return { check, state: judge(found), text, expected, found };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { check, state: 'unknown', text: `${text}: DNS не отвечает (${code}), повторите позже`, expected };
  }
}

function dkimLookup(dns: Dns, domain: string, { selector, privateKey }: NonNullable<Config['dkim']>): Lookup {
  const name = `${selector}._domainkey.${domain}`;
  const key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  return {
    check: 'DKIM',
    text: `TXT для ${name}`,
    expected: `v=DKIM1; k=rsa; p=${key}`,
    query: texts(dns, name, /\bp\s*=/),
    judge: (found) => (found.length === 1 && found[0]!.replace(/\s/g, '').includes(`p=${key}`) ? 'good' : 'missing'),
  };
}

/** The record of a parent domain is valid for its subdomains. */
async function dmarcRecords(dns: Dns, domain: string): Promise<string[]> {
  const found = await texts(dns, `_dmarc.${domain}`, /^\s*v\s*=\s*DMARC1\b/i);
  const parent = domain.slice(domain.indexOf('.') + 1);
  return found.length > 0 || !parent.includes('.') ? found : dmarcRecords(dns, parent);
}

async function namesBothWays(dns: Dns, address: string): Promise<string[]> {
  const names = await none(dns.reverse(address));
  const forward = await Promise.all(names.map((name) => addressesOf(dns, name)));
  return names.filter((_, i) => forward[i]!.includes(address));
}

async function addressesOf(dns: Dns, name: string): Promise<string[]> {
  return (await Promise.all([none(dns.resolve4(name)), none(dns.resolve6(name))])).flat();
}

const spfTerm = (address: string): string => `ip${isIP(address)}:${address}`;

/** A record's strings joined: long ones are published in parts. */
const texts = async (dns: Dns, name: string, pattern: RegExp): Promise<string[]> =>
  (await none(dns.resolveTxt(name))).map((parts) => parts.join('')).filter((text) => pattern.test(text));

/** An empty list if there is no such name or no such record. */
const none = <T>(query: Promise<T[]>): Promise<T[]> =>
  query.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return [];
    throw error;
  });
