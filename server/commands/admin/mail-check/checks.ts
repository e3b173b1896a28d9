import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import type { Config } from '../../../config.ts';
import { addressesOf, type Dns, mailServersOf, namesOf, NoAnswer, textsOf } from './dns.ts';
import type { Sender } from './sender.ts';
import { judgeSpf, spfRecords } from './spf.ts';

export interface Finding {
  check: 'SMTP' | 'SPF' | 'DKIM' | 'DMARC' | 'MX' | 'PTR' | 'Письмо';
  /** `unknown`: DNS did not answer; `unchecked`: only the operator of the mail service can tell. */
  state: 'good' | 'missing' | 'unknown' | 'unchecked';
  /** In Russian. */
  text: string;
  /** The record to add. */
  record?: { name: string; type: 'TXT' | 'MX' | 'A' | 'AAAA' | 'PTR'; value: string };
}

type Result = Omit<Finding, 'check'>;

/** Checks the records of the sender's domain, all at once. */
export function checkRecords(dns: Dns, sender: Sender, dkim: Config['dkim']): Promise<Finding[]> {
  const checks: Array<[Finding['check'], Promise<Result>]> = [
    ['SPF', checkSpf(dns, sender)],
    ['DKIM', checkDkim(dns, sender, dkim)],
    ['DMARC', checkDmarc(dns, sender)],
    ['MX', checkMx(dns, sender)],
    ['PTR', checkPtr(dns, sender)],
  ];
  return Promise.all(
    checks.map(async ([check, checking]) => {
      const result = await checking.catch((error: unknown): Result => {
        if (!(error instanceof NoAnswer)) throw error;
        return { state: 'unknown', text: `проверить не удалось: ${error.message}. Повторите позже` };
      });
      return { check, ...result };
    }),
  );
}

async function checkSpf(dns: Dns, { domain, host, addresses, isService }: Sender): Promise<Result> {
  const records = spfRecords(await textsOf(dns, domain));
  const own = addresses.map((address) => `ip${isIP(address)}:${address}`).join(' ');
  const value = isService ? `v=spf1 include:ИМЯ_ИЗ_СПРАВКИ_${host} -all` : `v=spf1 ${own || 'mx'} -all`;
  const record = { name: domain, type: 'TXT', value } as const;
  const missing = (text: string): Result => ({ state: 'missing', text, record });
  if (records.length === 0) return missing('записи нет, поэтому отправить письмо от имени домена может кто угодно');
  if (records.length > 1) {
    return { state: 'missing', text: 'записей несколько, и все недействительны. Объедините их в одну' };
  }
  const text = records[0]!;
  const terms = text.split(/ +/);
  // Without an address of the sender the record is still read to its end.
  const tried = addresses.length > 0 && !isService ? addresses : ['192.0.2.1'];
  for (const address of tried) {
    const verdict = await judgeSpf(dns, domain, address);
    switch (verdict.is) {
      case 'for everybody':
        return {
          state: 'missing',
          text: `запись разрешает отправку с любого адреса. Замените «all» на «-all»: ${text}`,
        };
      case 'invalid':
        return { state: 'missing', text: `запись недействительна из-за «${verdict.term}»: ${text}` };
      case 'undecided':
        return { state: 'unchecked', text: `решает «${verdict.term}», заранее не узнать: ${text}` };
      case 'not allowed':
        if (tried !== addresses) break;
        return {
          state: 'missing',
          text: `в записи нет адреса ${address}, с которого уходят письма. Добавьте его`,
          record: { ...record, value: [terms[0], `ip${isIP(address)}:${address}`, ...terms.slice(1)].join(' ') },
        };
      case 'allowed':
      // There is exactly one record, as seen above.
      case 'absent':
      case 'several':
    }
  }
  if (tried === addresses) return { state: 'good', text };
  const why = isService
    ? `назван ли в ней сервис ${host}, сверьте с его справкой`
    : 'внешний адрес этой машины неизвестен';
  return { state: 'unchecked', text: `запись есть, но ${why}: ${text}` };
}

async function checkDkim(dns: Dns, { domain, host, isService }: Sender, dkim: Config['dkim']): Promise<Result> {
  if (!dkim) {
    const howTo = 'Задайте DKIM_KEY_FILE и DKIM_SELECTOR: docs/guide/mail.md, «Подпись DKIM»';
    return isService
      ? { state: 'unchecked', text: `письма подписывает только сервис ${host}, если это включено в его настройках` }
      : { state: 'missing', text: `письма не подписываются. ${howTo}` };
  }
  const name = `${dkim.selector}._domainkey.${domain}`;
  const key = createPublicKey(dkim.privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  const missing = (text: string): Result => ({
    state: 'missing',
    text,
    record: { name, type: 'TXT', value: `v=DKIM1; k=rsa; p=${key}` },
  });
  const records = (await textsOf(dns, name)).map(tagsOf).filter((tags) => tags.has('p'));
  if (records.length === 0) return missing('открытого ключа в DNS нет, поэтому подпись проверить нельзя');
  if (records.length > 1) return missing('записей несколько. Оставьте одну');
  if (records[0]!.get('p') !== key) return missing('в записи другой ключ, не от DKIM_KEY_FILE. Замените её');
  return { state: 'good', text: `ключ в записи ${name} подходит к DKIM_KEY_FILE` };
}

async function checkDmarc(dns: Dns, { domain }: Sender): Promise<Result> {
  const record = {
    name: `_dmarc.${domain}`,
    type: 'TXT',
    value: `v=DMARC1; p=none; rua=mailto:postmaster@${domain}`,
  } as const;
  // The record of a parent domain is valid for its subdomains.
  const labels = domain.split('.');
  for (let i = 0; i <= labels.length - 2; i += 1) {
    const at = `_dmarc.${labels.slice(i).join('.')}`;
    const found = (await textsOf(dns, at)).filter((text) => /^\s*v\s*=\s*DMARC1\b/i.test(text));
    if (found.length > 1)
      return { state: 'missing', text: `записей ${at} несколько, и все недействительны. Оставьте одну` };
    const [text] = found;
    if (text === undefined) continue;
    const isValid = /^\s*v\s*=\s*DMARC1\s*;\s*p\s*=\s*(none|quarantine|reject)\s*(;|$)/i.test(text);
    if (isValid) return { state: 'good', text };
    return {
      state: 'missing',
      text: `запись ${at} недействительна: «${text}». После v=DMARC1 нужно p=none, quarantine или reject`,
      record,
    };
  }
  return {
    state: 'missing',
    text: 'записи нет. Без неё крупные почтовые сервисы отвергают письма или кладут их в спам',
    record,
  };
}

async function checkMx(dns: Dns, { domain, host, isService }: Sender): Promise<Result> {
  const servers = await mailServersOf(dns, domain);
  const value = `10 ${host === undefined || isService || isIP(host) !== 0 ? `mail.${domain}` : host}`;
  const record = { name: domain, type: 'MX', value } as const;
  if (servers.length === 0) {
    return {
      state: 'missing',
      text: 'записи нет: ответы и сообщения о недоставке не придут никому, и часть серверов не принимает писем с такого домена',
      record,
    };
  }
  const addresses = await Promise.all(servers.map((server) => addressesOf(dns, server)));
  if (addresses.flat().length > 0) return { state: 'good', text: servers.join(', ') };
  return {
    state: 'missing',
    text: `у имени ${servers[0]} нет адреса`,
    record: { name: servers[0]!, type: 'A', value: 'АДРЕС' },
  };
}

async function checkPtr(dns: Dns, { domain, host, addresses, isService }: Sender): Promise<Result> {
  if (isService) return { state: 'unchecked', text: `за имена своих адресов отвечает сервис ${host}` };
  if (addresses.length === 0)
    return { state: 'unchecked', text: 'внешний адрес, с которого уходят письма, неизвестен' };
  const known: string[] = [];
  for (const address of addresses) {
    const names = await namesOf(dns, address);
    const wanted = host !== undefined && host.includes('.') && isIP(host) === 0 ? host : `mail.${domain}`;
    const record = { name: address, type: 'PTR', value: wanted } as const;
    if (names.length === 0) {
      return {
        state: 'missing',
        text: `у адреса ${address} нет имени. Его назначает тот, кто выдал адрес: хостинг или провайдер`,
        record,
      };
    }
    const forward = await Promise.all(names.map((name) => addressesOf(dns, name)));
    if (!forward.flat().includes(address)) {
      const type = isIP(address) === 4 ? 'A' : 'AAAA';
      return {
        state: 'missing',
        text: `имя ${names[0]} адреса ${address} не ведёт обратно на него`,
        record: { name: names[0]!, type, value: address },
      };
    }
    known.push(`${address} — ${names.join(', ')}`);
  }
  return { state: 'good', text: known.join('; ') };
}

/** `v=DKIM1; p=…` as names and values, without white space. */
function tagsOf(text: string): Map<string, string> {
  const parts = text.split(';').map((part) => part.replace(/\s+/g, ''));
  return new Map(parts.map((part) => [part.split('=', 1)[0]!.toLowerCase(), part.slice(part.indexOf('=') + 1)]));
}
