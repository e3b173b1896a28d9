import { BlockList, isIP } from 'node:net';
import { addressesOf, type Dns, mailServersOf, textsOf } from './dns.ts';

/** What a domain's SPF record says about an address (RFC 7208). */
export type Verdict =
  | { is: 'allowed' | 'not allowed' | 'absent' | 'several' | 'for everybody' }
  | { is: 'invalid'; term: string }
  /** It depends on the recipient or the time, so it cannot be told in advance. */
  | { is: 'undecided'; term: string };

/** Receivers stop here. */
const lookupsAtMost = 10;

export const spfRecords = (texts: string[]): string[] => texts.filter((text) => /^v=spf1( |$)/i.test(text));

export function judgeSpf(dns: Dns, domain: string, address: string): Promise<Verdict> {
  return new Evaluation(dns, address).judge(domain);
}

class Evaluation {
  #dns: Dns;
  #address: string;
  #lookups = 0;

  constructor(dns: Dns, address: string) {
    this.#dns = dns;
    this.#address = address;
  }

  async judge(domain: string): Promise<Verdict> {
    const records = spfRecords(await textsOf(this.#dns, domain));
    if (records.length !== 1) return { is: records.length === 0 ? 'absent' : 'several' };
    const terms = records[0]!.split(/ +/).slice(1).filter(Boolean);
    if (terms.some((term) => /^\+?all$/i.test(term))) return { is: 'for everybody' };
    for (const term of terms) {
      const verdict = await this.#judgeTerm(term, domain);
      if (verdict) return verdict;
    }
    const redirect = terms.find((term) => /^redirect=/i.test(term));
    if (redirect === undefined) return { is: 'not allowed' };
    return this.#inOther(redirect, redirect.slice('redirect='.length));
  }

  /** Undefined if the term does not match and the next one decides. */
  async #judgeTerm(term: string, domain: string): Promise<Verdict | undefined> {
    const [, sign = '', name = '', value = '', bits = ''] =
      /^([+?~-]?)(all|include|a|mx|ip4|ip6|ptr|exists)(?::([^/]+))?((?:\/\d+)?(?:\/\/\d+)?)$/i.exec(term) ?? [];
    if (name === '') return /^[a-z][\w.-]*=/i.test(term) ? undefined : { is: 'invalid', term };
    const matching: Verdict = { is: sign === '' || sign === '+' ? 'allowed' : 'not allowed' };
    if (value.includes('%') || name.toLowerCase() === 'exists') return { is: 'undecided', term };
    switch (name.toLowerCase()) {
      case 'all':
        return matching;
      case 'ip4':
      case 'ip6': {
        const matches = this.#isIn([value], name.toLowerCase() === 'ip6' && bits !== '' ? `/${bits}` : bits);
        return matches === undefined ? { is: 'invalid', term } : matches ? matching : undefined;
      }
      case 'include': {
        const verdict = await this.#inOther(term, value);
        if (verdict.is === 'allowed') return matching;
        return verdict.is === 'not allowed' ? undefined : verdict;
      }
      case 'a':
      case 'mx': {
        if ((this.#lookups += 1) > lookupsAtMost) return { is: 'invalid', term };
        const of = value || domain;
        const hosts = name.toLowerCase() === 'mx' ? await mailServersOf(this.#dns, of) : [of];
        const addresses = await Promise.all(hosts.map((host) => addressesOf(this.#dns, host)));
        return this.#isIn(addresses.flat(), bits) ? matching : undefined;
      }
      default:
        return undefined;
    }
  }

  async #inOther(term: string, domain: string): Promise<Verdict> {
    if (domain.includes('%')) return { is: 'undecided', term };
    if (domain === '' || (this.#lookups += 1) > lookupsAtMost) return { is: 'invalid', term };
    const verdict = await this.judge(domain);
    return verdict.is === 'absent' || verdict.is === 'several' ? { is: 'invalid', term } : verdict;
  }

  /** Undefined if one of them is not an address or not a network. `bits` is `/24`, `//64` or both. */
  #isIn(networks: readonly string[], bits: string): boolean | undefined {
    const [, four, six] = /^(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(bits) ?? [];
    const list = new BlockList();
    for (const network of networks) {
      const family = isIP(network);
      if (family === 0) return undefined;
      const [length, longest] = family === 4 ? [four, 32] : [six, 128];
      if (Number(length) > longest) return undefined;
      list.addSubnet(network, Number(length ?? longest), `ipv${family as 4 | 6}`);
    }
    return list.check(this.#address, `ipv${isIP(this.#address) as 4 | 6}`);
  }
}
