import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Finding } from '../../server/commands/admin/mail-check/checks.ts';
import { reverseName, type Zone } from './dns-server.ts';

const [four, six] = ['203.0.113.25', '2001:db8::25'];
export const dkimName = 'wall._domainkey.example.org TXT';

const keyPair = (): { pem: string; record: string } => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    record: `v=DKIM1; k=rsa; p=${publicPart(privateKey)}`,
  };
};
const publicPart = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');

export const own = keyPair();

/** A domain whose mails arrive. */
export const sound: Zone = {
  'mail.example.org A': [four],
  'mail.example.org AAAA': [six],
  'example.org TXT': ['google-site-verification=abc', `v=spf1 ip4:203.0.113.0/24 ip6:2001:db8::/32 -all`],
  [dkimName]: [own.record],
  '_dmarc.example.org TXT': ['v=DMARC1; p=none; rua=mailto:a@example.org'],
  'example.org MX': ['10 mail.example.org'],
  [`${reverseName(four)} PTR`]: ['mail.example.org'],
  [`${reverseName(six)} PTR`]: ['mail.example.org'],
};

/** Changes to it, the check that must find each, and what the operator reads. */
export const broken: Array<[how: string, change: Zone, check: Finding['check'], text: RegExp]> = [
  [
    'no SPF',
    { 'example.org TXT': ['other=1', 'v=spf10 -all'] },
    'SPF',
    /записи нет[^]*TXT для example\.org:\n +v=spf1 ip4:203\.0\.113\.25 ip6:2001:db8::25 -all/,
  ],
  ['SPF with +all', { 'example.org TXT': [`v=spf1 ip4:${four} +all`] }, 'SPF', /с любого адреса/],
  ['SPF with a bare all', { 'example.org TXT': [`v=spf1 all`] }, 'SPF', /с любого адреса/],
  [
    'SPF that includes +all',
    { 'example.org TXT': ['v=spf1 include:other.org -all'], 'other.org TXT': ['v=spf1 +all'] },
    'SPF',
    /с любого адреса/,
  ],
  [
    'SPF without the sender',
    { 'example.org TXT': ['v=spf1 ip4:192.0.2.7 ~all'] },
    'SPF',
    /нет адреса 203\.0\.113\.25[^]*v=spf1 ip4:203\.0\.113\.25 ip4:192\.0\.2\.7 ~all/,
  ],
  [
    'SPF without one of its addresses',
    { 'example.org TXT': [`v=spf1 ip4:${four} -all`] },
    'SPF',
    /нет адреса 2001:db8::25/,
  ],
  ['SPF that excludes the sender', { 'example.org TXT': ['v=spf1 -a:mail.example.org +mx -all'] }, 'SPF', /нет адреса/],
  ['two SPF records', { 'example.org TXT': [`v=spf1 ip4:${four} -all`, 'v=spf1 mx -all'] }, 'SPF', /записей несколько/],
  [
    'an invalid SPF',
    { 'example.org TXT': ['v=spf1 ipv4:203.0.113.25 -all'] },
    'SPF',
    /недействительна из-за «ipv4:203/,
  ],
  [
    'SPF that includes nothing',
    { 'example.org TXT': ['v=spf1 include:other.org -all'] },
    'SPF',
    /из-за «include:other\.org»/,
  ],
  [
    'SPF that includes itself',
    { 'example.org TXT': ['v=spf1 include:example.org -all'] },
    'SPF',
    /из-за «include:example\.org»/,
  ],
  [
    'no DKIM record',
    { [dkimName]: [] },
    'DKIM',
    /ключа в DNS нет[^]*TXT для wall\._domainkey\.example\.org:\n +v=DKIM1; k=rsa; p=MII/,
  ],
  ['the DKIM record of another key', { [dkimName]: [keyPair().record] }, 'DKIM', /другой ключ/],
  ['a revoked DKIM key', { [dkimName]: ['v=DKIM1; p='] }, 'DKIM', /другой ключ/],
  [
    'no DMARC',
    { '_dmarc.example.org TXT': ['something else'] },
    'DMARC',
    /записи нет[^]*_dmarc\.example\.org:\n +v=DMARC1; p=none/,
  ],
  [
    'DMARC without a policy',
    { '_dmarc.example.org TXT': ['v=DMARC1; rua=mailto:a@example.org'] },
    'DMARC',
    /недействительна/,
  ],
  ['DMARC with an unknown policy', { '_dmarc.example.org TXT': ['v=DMARC1; p=deny'] }, 'DMARC', /недействительна/],
  ['two DMARC records', { '_dmarc.example.org TXT': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }, 'DMARC', /несколько/],
  ['no MX', { 'example.org MX': [] }, 'MX', /записи нет[^]*MX для example\.org:\n +10 mail\.example\.org/],
  ['an MX that takes no mail', { 'example.org MX': ['0 '] }, 'MX', /записи нет/],
  [
    'an MX without an address',
    { 'example.org MX': ['10 gone.example.org'] },
    'MX',
    /у имени gone\.example\.org нет адреса/,
  ],
  ['no PTR', { [`${reverseName(four)} PTR`]: [] }, 'PTR', /у адреса 203\.0\.113\.25 нет имени[^]*mail\.example\.org/],
  [
    'a PTR that leads elsewhere',
    { [`${reverseName(six)} PTR`]: ['host25.example.net'], 'host25.example.net AAAA': ['2001:db8::26'] },
    'PTR',
    /не ведёт обратно/,
  ],
  [
    'SPF that times out',
    { 'example.org TXT': 'silence' },
    'SPF',
    /проверить не удалось: нет ответа о example\.org \(ETIMEOUT\)/,
  ],
  [
    'an SPF server that fails',
    { 'example.org TXT': 'SERVFAIL' },
    'SPF',
    /проверить не удалось: ошибка в ответе о example\.org \(ESERVFAIL\)/,
  ],
  ['DKIM that times out', { [dkimName]: 'silence' }, 'DKIM', /проверить не удалось: нет ответа/],
  ['a DMARC server that fails', { '_dmarc.example.org TXT': 'SERVFAIL' }, 'DMARC', /проверить не удалось: ошибка/],
];

/** Changes after which everything is still in order. */
export const fine: Array<[how: string, change: Zone]> = [
  ['addresses by name', { 'example.org TXT': ['v=spf1 a:mail.example.org -all'] }],
  ['addresses of the MX', { 'example.org TXT': ['v=spf1 exp=why.example.org MX ?all'] }],
  [
    'a redirect to an include',
    {
      'example.org TXT': ['v=spf1 redirect=_spf.example.org'],
      '_spf.example.org TXT': ['v=spf1 include:a.example.org ~all'],
      'a.example.org TXT': [`v=spf1 ip4:${four} ip6:${six} -all`],
    },
  ],
  ['a DKIM record in parts with spaces', { [dkimName]: [own.record.replaceAll('; ', ' ;  ').replace('MII', 'MI I')] }],
  ['a second name of the address', { [`${reverseName(four)} PTR`]: ['other.example.net', 'mail.example.org'] }],
];
