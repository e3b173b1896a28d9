import { isIP } from 'node:net';

/** A setting is invalid. The message names it and the valid values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export function integer(value: string, name: string, min: number, max = 1_000_000_000): number {
  if (!/^\d{1,10}$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}.`);
  }
  return Number(value);
}

export function oneOf<const Choice extends string>(value: string, name: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined)
    throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(value)}.`);
  return choice;
}

/** The value may contain a password, so the error does not repeat it. */
export function address(value: string | undefined, name: string, protocols: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(
      `${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    );
  }
  return value;
}

/** `rule` says which setting must be what. */
export function matching(value: string, form: RegExp, rule: string): string {
  if (!form.test(value)) throw new ConfigError(`${rule}, not ${JSON.stringify(value)}.`);
  return value;
}

export const host = (value: string): string =>
  isIP(value) ? value : matching(value, /^[A-Za-z0-9.-]+$/, 'HOST must be an address or a name to listen on');

/** IPv6 addresses are in brackets. */
export function listenAddress(value: string | undefined): { host: string; port: number } | undefined {
  if (value === undefined) return undefined;
  const [, ipv6, name = '', digits = ''] = /^(?:\[(.+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(value) ?? [];
  const port = Number(digits);
  if ((ipv6 !== undefined && isIP(ipv6) !== 6) || port < 1 || port > 65_535) {
    throw new ConfigError(`METRICS must be HOST:PORT, such as 127.0.0.1:9100, not ${JSON.stringify(value)}.`);
  }
  return { host: ipv6 ?? name, port };
}

/** For errors of an address that cannot be listened on: it is in use, of another machine, or its name is unknown. */
export const cannotListen =
  (settings: string) =>
  ({ message }: Error): never => {
    throw new ConfigError(`${settings} must be an address that this machine can listen on: ${message}.`);
  };

export function publicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new ConfigError(`PUBLIC_URL must be http(s)://host without a path, not ${JSON.stringify(value)}.`);
  }
  return url.origin;
}
