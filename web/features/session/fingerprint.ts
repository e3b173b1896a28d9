import { load } from '@fingerprintjs/fingerprintjs';
import { trustedTypes } from '../../lib/trusted-html.ts';

/** The library measures fonts in a frame with this HTML. The default policy refuses every other string. */
const frame = '<!doctype html><html><head><meta name="viewport" content="width=device-width, initial-scale=1">';

trustedTypes?.createPolicy('default', { createHTML: (html) => (html === frame ? html : null) });

export async function fingerprint(): Promise<string> {
  const agent = await load({ monitoring: false });
  return (await agent.get()).visitorId;
}
