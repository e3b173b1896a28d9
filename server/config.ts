import { createPrivateKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { normalizeDomain } from '#contract/email.ts';
import { unnamedWall } from '#contract/page-data.ts';
import { contactForm, wallNameLength } from '#contract/wall-setting-rules.ts';

/** A setting is invalid. The message, in Russian, names the setting and the valid values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

function integer(value: string, name: string, min: number, max = 1_000_000_000): number {
  if (!/^\d{1,10}$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new ConfigError(`${name}: нужно целое число от ${min} до ${max}, а не ${JSON.stringify(value)}.`);
  }
  return Number(value);
}

function oneOf<const Choice extends string>(value: string, name: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined)
    throw new ConfigError(`${name}: нужно одно из ${choices.join(', ')}, а не ${JSON.stringify(value)}.`);
  return choice;
}

/** The value may contain a password, so the error does not repeat it. */
function address(value: string | undefined, name: string, protocols: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(
      `${name}: нужен адрес, который начинается с ${protocols.map((p) => `${p}//`).join(' или ')}.`,
    );
  }
  return value;
}

/** `rule`: the name of the setting and the valid values, in Russian. */
function matching(value: string, form: RegExp, rule: string): string {
  if (!form.test(value)) throw new ConfigError(`${rule}, а не ${JSON.stringify(value)}.`);
  return value;
}

const host = (value: string): string =>
  isIP(value) ? value : matching(value, /^[A-Za-z0-9.-]+$/, 'HOST: нужен адрес или имя этой машины');

/** IPv6 addresses are in brackets. */
function listenAddress(value: string | undefined): { host: string; port: number } | undefined {
  if (value === undefined) return undefined;
  const [, ipv6, name = '', digits = ''] = /^(?:\[(.+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(value) ?? [];
  const port = Number(digits);
  if ((ipv6 !== undefined && isIP(ipv6) !== 6) || port < 1 || port > 65_535) {
    throw new ConfigError(`METRICS: нужно HOST:PORT, например 127.0.0.1:9100, а не ${JSON.stringify(value)}.`);
  }
  return { host: ipv6 ?? name, port };
}

/** Handles the error of an address on which the server cannot listen: it is in use, of another machine, or its name is unknown. */
export const cannotListen =
  (settings: string) =>
  ({ message }: Error): never => {
    throw new ConfigError(`${settings}: на этом адресе эта машина отвечать не может: ${message}.`);
  };

/** Whether only programs of this machine reach the address. */
const isLocal = (url: string): boolean => /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);

function publicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new ConfigError(`PUBLIC_URL: нужно http(s)://имя без пути, а не ${JSON.stringify(value)}.`);
  }
  return url.origin;
}

export interface Config {
  host: string;
  port: number;
  publicUrl: string;
  appName: string;
  /** Contact of the operators, who also get reports of vulnerabilities: a `mailto:` or `https:` URL. */
  contact: string | undefined;
  dataDir: string;
  /** The folder of the operator's texts: about.md, rules.md, privacy.md, consent.md. */
  pagesDir: string;
  /** A second folder for backups, on another disk or machine. */
  copyTo: string | undefined;
  databaseUrl: string | undefined;
  /** Standbys of that PostgreSQL, from which public responses may be read. */
  databaseReadUrls: readonly string[];
  smtpUrl: string | undefined;
  /** The number of letters that the wall sends in 24 hours; undefined: any number. */
  lettersPerDay: number | undefined;
  mailFrom: string;
  /** Signs mails; not signed when undefined. */
  dkim: { selector: string; privateKey: KeyObject } | undefined;
  /** If undefined, a secret is generated at the first start and stored in the data folder. */
  secret: string | undefined;
  /** Tokens, codes and mails made with this secret are still accepted. */
  secretPrevious: string | undefined;
  trustProxy: string[];
  /** Maximum number of connections of one address that are open at the same time, per process. */
  connectionsPerAddress: number;
  logLevel: (typeof logLevels)[number];
  editWindowSeconds: number;
  codeTtlSeconds: number;
  codeResendSeconds: number;
  accessTokenSeconds: number;
  rateLimits: boolean;
  /** Multiplies the limits of one address: on localhost all people of a trial have the same address. */
  addressFactor: number;
  readsPerMinute: number;
  search: (typeof searchers)[number];
  /** Domains of e-mail addresses that may, or may not, register; undefined: all may. */
  emailDomains: EmailDomains | undefined;
  /** `host:port` of push services that may be on this machine or in a private network, with any certificate. */
  pushHosts: readonly string[];
  /** Listen address of the Prometheus metrics; disabled when undefined. */
  metrics: { host: string; port: number } | undefined;
}

/** Domains in punycode. A domain includes its subdomains. */
export interface EmailDomains {
  kind: 'allow' | 'deny';
  domains: readonly string[];
}

const postgresProtocols = ['postgres:', 'postgresql:'];
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const searchers = ['everyone', 'members'] as const;
export const secretLength = 32;
export const isWeakSecret = (secret: string): boolean => secret.length < secretLength;

/** Reads and validates all settings; an empty variable counts as unset. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const text = (name: string, fallback: string): string => env[name]?.trim() || fallback;
  const optional = (name: string): string | undefined => env[name]?.trim() || undefined;

  const port = integer(text('PORT', '3000'), 'PORT', 0, 65_535);
  const wallUrl = publicUrl(text('PUBLIC_URL', `http://localhost:${port}`));
  const addressFactor = isLocal(wallUrl) ? 10 : 1;
  const isProduction = env['NODE_ENV'] === 'production';
  // Apps renew a token 20 seconds before its end, so a token must be valid for longer.
  const tokenSecondsMin = isProduction ? 30 : 1;
  const appName = nameOf(text('APP_NAME', unnamedWall));
  const mailFrom = text('MAIL_FROM', `"${appName.replace(/["\\<>\r\n]/g, '')}" <wall@localhost>`);
  const dataDir = resolve(text('DATA_DIR', './data'));
  const databaseUrl = address(optional('DATABASE_URL'), 'DATABASE_URL', postgresProtocols);
  const databaseReadUrls = text('DATABASE_READ_URL', '')
    .split(',')
    .flatMap((part) => address(part.trim() || undefined, 'DATABASE_READ_URL', postgresProtocols) ?? []);
  if (optional('DATABASE_READ_URL') && databaseReadUrls.length === 0) {
    throw new ConfigError('DATABASE_READ_URL: назовите хотя бы одну реплику.');
  }
  const smtpUrl = address(optional('SMTP_URL'), 'SMTP_URL', ['smtp:', 'smtps:']);
  if (smtpUrl && new URL(smtpUrl).hostname === '') {
    throw new ConfigError('SMTP_URL: назовите почтовый сервер, например smtps://mail.example.org.');
  }
  const secret = secretOf(optional('SECRET'), 'SECRET');
  const secretPrevious = secretOf(optional('SECRET_PREVIOUS'), 'SECRET_PREVIOUS');

  if (!smtpUrl && isProduction) {
    throw new ConfigError('SMTP_URL: задайте почтовый сервер. С NODE_ENV=production без него не отправить коды.');
  }
  if (databaseUrl && !secret) {
    throw new ConfigError('SECRET: задайте вместе с DATABASE_URL, один на все процессы.');
  }
  if (databaseReadUrls.length > 0 && !databaseUrl) {
    throw new ConfigError('DATABASE_URL: задайте вместе с DATABASE_READ_URL, это основной сервер.');
  }
  if (new Set([databaseUrl, ...databaseReadUrls]).size <= databaseReadUrls.length) {
    throw new ConfigError('DATABASE_READ_URL: назовите каждую реплику один раз и без сервера из DATABASE_URL.');
  }

  return {
    host: host(text('HOST', '127.0.0.1')),
    port,
    publicUrl: wallUrl,
    appName,
    contact: contact(optional('CONTACT')),
    dataDir,
    copyTo: optional('COPY_TO') && resolve(optional('COPY_TO')!),
    pagesDir: pagesDir(optional('PAGES_DIR')) ?? resolve(dataDir, 'pages'),
    databaseUrl,
    databaseReadUrls,
    smtpUrl,
    lettersPerDay: lettersPerDay(optional('LETTERS_PER_DAY'), smtpUrl),
    mailFrom: matching(mailFrom, mailboxForm, 'MAIL_FROM: нужен адрес или "Имя <адрес>"'),
    dkim: dkim(optional('DKIM_KEY_FILE'), optional('DKIM_SELECTOR')),
    secret,
    secretPrevious,
    trustProxy: addresses(text('TRUST_PROXY', '')),
    connectionsPerAddress: integer(text('CONNECTIONS_PER_IP', `${256 * addressFactor}`), 'CONNECTIONS_PER_IP', 1),
    logLevel: oneOf(text('LOG_LEVEL', 'info'), 'LOG_LEVEL', logLevels),
    editWindowSeconds: integer(text('EDIT_WINDOW_SECONDS', '600'), 'EDIT_WINDOW_SECONDS', 1),
    codeTtlSeconds: integer(text('CODE_TTL_SECONDS', '600'), 'CODE_TTL_SECONDS', 1),
    codeResendSeconds: integer(text('CODE_RESEND_SECONDS', '60'), 'CODE_RESEND_SECONDS', 0),
    accessTokenSeconds: integer(text('ACCESS_TOKEN_SECONDS', '600'), 'ACCESS_TOKEN_SECONDS', tokenSecondsMin),
    rateLimits: oneOf(text('RATE_LIMITS', 'on'), 'RATE_LIMITS', ['on', 'off']) === 'on',
    addressFactor,
    readsPerMinute: integer(text('READS_PER_MINUTE', `${3_000 * addressFactor}`), 'READS_PER_MINUTE', 1),
    search: oneOf(text('SEARCH', 'everyone'), 'SEARCH', searchers),
    emailDomains: emailDomains(optional('EMAIL_DOMAINS')),
    pushHosts: pushHosts(text('PUSH_HOSTS', '')),
    metrics: listenAddress(optional('METRICS')),
  };
}

function nameOf(value: string): string {
  const { length } = Array.from(value);
  if (length > wallNameLength)
    throw new ConfigError(`APP_NAME: не длиннее ${wallNameLength} знаков, а здесь ${length}.`);
  return value;
}

/** Providers of mailboxes that take some hundreds of letters a day from each of them, by the end of the name of their SMTP server. */
const mailboxProviders =
  /(^|\.)(yandex\.(ru|com|by|kz)|(mail|bk|list|inbox|rambler)\.ru|(gmail|outlook|office365|icloud|me|yahoo|zoho)\.com)$/;

/** Yandex takes 500 letters in 24 hours, and then none: the rest is for what the wall does not count. */
const lettersOfMailbox = 400;

/** A wall without a mail server has no bound: its letters are files. */
function lettersPerDay(value: string | undefined, smtpUrl: string | undefined): number | undefined {
  const set = value === undefined ? undefined : integer(value, 'LETTERS_PER_DAY', 1);
  if (smtpUrl === undefined) return undefined;
  return set ?? (mailboxProviders.test(new URL(smtpUrl).hostname.toLowerCase()) ? lettersOfMailbox : undefined);
}

/** A folder that is set must exist: without its consent.md people would register without a consent. */
function pagesDir(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!existsSync(value) || !statSync(value).isDirectory()) {
    throw new ConfigError(`PAGES_DIR: такой папки нет: ${JSON.stringify(value)}.`);
  }
  return resolve(value);
}

function secretOf(value: string | undefined, name: string): string | undefined {
  if (value !== undefined && isWeakSecret(value)) {
    throw new ConfigError(`${name}: не короче ${secretLength} знаков.`);
  }
  return value;
}

function emailDomains(value: string | undefined): EmailDomains | undefined {
  if (value === undefined) return undefined;
  const [, kind, list = ''] = /^(allow|deny):(.*)$/s.exec(value) ?? [];
  const domains = list.split(',').map((domain) => normalizeDomain(domain.trim()));
  if ((kind !== 'allow' && kind !== 'deny') || domains.includes(undefined)) {
    throw new ConfigError(
      `EMAIL_DOMAINS: нужно allow: или deny: и домены, например allow:example.org,почта.рф, а не ${JSON.stringify(value)}.`,
    );
  }
  return { kind, domains: domains as string[] };
}

const pushHosts = (value: string): string[] =>
  value
    .split(',')
    .flatMap((part) => part.trim().toLowerCase() || [])
    .map((part) =>
      matching(part, /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/, 'PUSH_HOSTS: нужны ИМЯ:ПОРТ через запятую'),
    );

const contact = (value: string | undefined): string | undefined =>
  value && matching(value, contactForm, 'CONTACT: нужно mailto:АДРЕС или https://АДРЕС');

/** The contact, by default the sender's address of letters. */
export const contactOf = ({ contact: own, mailFrom }: Config): string => own ?? `mailto:${addressOf(mailFrom)}`;

const addressOf = (mailFrom: string): string => /<(.+)>$/.exec(mailFrom)?.[1] ?? mailFrom;

/** The domain of the sender's address. */
export const senderDomain = ({ mailFrom }: Pick<Config, 'mailFrom'>): string =>
  domainToASCII(addressOf(mailFrom).split('@')[1]!);

const mailboxForm = /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/;

/** Receivers ignore signatures with a shorter key (RFC 8301). */
const dkimKeyBits = 1_024;
const selectorForm = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

function dkim(file: string | undefined, selector: string | undefined): Config['dkim'] {
  if (file === undefined && selector === undefined) return undefined;
  if (file === undefined || selector === undefined) {
    const [set, unset] = file === undefined ? ['DKIM_SELECTOR', 'DKIM_KEY_FILE'] : ['DKIM_KEY_FILE', 'DKIM_SELECTOR'];
    throw new ConfigError(`${unset}: задайте вместе с ${set}.`);
  }
  matching(selector, selectorForm, 'DKIM_SELECTOR: нужно имя, например "wall"');
  const privateKey = dkimKey(file);
  const bits = privateKey?.asymmetricKeyDetails?.modulusLength ?? 0;
  if (privateKey?.asymmetricKeyType !== 'rsa' || bits < dkimKeyBits) {
    throw new ConfigError(
      `DKIM_KEY_FILE: нужен файл PEM с закрытым ключом RSA не короче ${dkimKeyBits} бит, а не ${JSON.stringify(file)}.`,
    );
  }
  return { selector, privateKey };
}

function dkimKey(file: string): KeyObject | undefined {
  let pem: Buffer;
  try {
    pem = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`DKIM_KEY_FILE: файл не прочесть: ${JSON.stringify(file)} (${code}).`);
  }
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** The widest private networks: 10.0.0.0/8 and fc00::/7. */
const widestSubnet = { 4: 8, 6: 7 };

/** A list of addresses and subnets. With wider subnets, clients could forge their address with X-Forwarded-For. */
function addresses(value: string): string[] {
  const list = value.split(',').flatMap((part) => part.trim() || []);
  for (const entry of list) {
    try {
      subnetsOf([entry]);
    } catch {
      throw new ConfigError(
        `TRUST_PROXY: нужны адреса IP или подсети не шире частной сети, через запятую, а не ${JSON.stringify(entry)}.`,
      );
    }
  }
  return list;
}

/** Parses a list of addresses and subnets; throws if an entry is invalid or wider than a private network. */
export function subnetsOf(list: readonly string[]): BlockList {
  const subnets = new BlockList();
  for (const entry of list) {
    const [ip = '', prefix] = entry.split('/');
    const family = isIP(ip);
    if (family !== 4 && family !== 6) throw new Error('not an address');
    const length = prefix === undefined ? { 4: 32, 6: 128 }[family] : Number(prefix);
    if (length < widestSubnet[family]) throw new Error('wider than a private network');
    subnets.addSubnet(ip, length, `ipv${family}`);
  }
  return subnets;
}
