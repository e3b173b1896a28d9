import { Resolver } from 'node:dns/promises';

/** The queries of the checks; Node's own resolver unless a test passes another. */
export type Dns = Pick<Resolver, 'resolveTxt' | 'resolve4' | 'resolve6' | 'resolveMx' | 'reverse'>;

const attempt = { timeout: 3_000, tries: 2 };

export const systemDns = (): Dns => new Resolver(attempt);

/** No server has answered, or one has refused to: what is asked for may exist nevertheless. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

const noSuchRecord = new Set(['ENODATA', 'ENOTFOUND']);

/** The records found; none if there is no such name or no such record. Throws NoAnswer if that is not known. */
async function found<T>(name: string, query: Promise<T[]>): Promise<T[]> {
  try {
    return await query;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (noSuchRecord.has(code)) return [];
    throw new NoAnswer(code === 'ETIMEOUT' ? `нет ответа о ${name} (ETIMEOUT)` : `ошибка в ответе о ${name} (${code})`);
  }
}

/** A record's strings joined: long ones are published in parts. */
export async function textsOf(dns: Dns, name: string): Promise<string[]> {
  return (await found(name, dns.resolveTxt(name))).map((parts) => parts.join(''));
}

export async function addressesOf(dns: Dns, name: string): Promise<string[]> {
  const both = await Promise.all([found(name, dns.resolve4(name)), found(name, dns.resolve6(name))]);
  return both.flat();
}

/** Names of the mail servers of a domain; the most preferred first. A lone dot says that the domain takes no mail. */
export async function mailServersOf(dns: Dns, domain: string): Promise<string[]> {
  const records = await found(domain, dns.resolveMx(domain));
  return records
    .toSorted((a, b) => a.priority - b.priority)
    .flatMap(({ exchange }) => (exchange === '' || exchange === '.' ? [] : exchange));
}

export const namesOf = (dns: Dns, address: string): Promise<string[]> => found(address, dns.reverse(address));
