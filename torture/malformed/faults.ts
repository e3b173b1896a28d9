import type { Conversation } from '../kit/raw-http.ts';
import { canary, type Malformed } from './malformed.ts';

export type Way = 'directly' | 'through nginx';

/** Somebody else's request on the same connection. */
export const follower = 'GET /api/v1/reports/reasons HTTP/1.1\r\nHost: wall\r\nConnection: close\r\n\r\n';
const followed = '{"reasons":';
/** What nginx says of itself where it does not know what is meant. */
const nginxOwn = new Set([501, 505]);
/** What a connection is ended with. */
const farewells = new Set([400, 408, 431]);

export const isFollowed = (conversation: Conversation): boolean =>
  conversation.answers.at(-1)?.body.startsWith(followed) === true;

/** What is wrong with what came back; `waited` says that whatever is never finished has had its time. */
export function faultOf(
  { requests = 1, hides, openToNginx, swallows }: Malformed,
  conversation: Conversation,
  { way, waited }: { way: Way; waited: boolean },
): string | undefined {
  const { answers, noise, ended } = conversation;
  const byNginx = way === 'through nginx';
  const told = answers.map(({ status }) => status).join(', ');
  // Only nginx speaks HTTP/0.9, whose answers have no head.
  if (noise !== '' && !(byNginx && answers.length === 0))
    return `noise before the first answer: ${JSON.stringify(noise)}`;
  const broken = answers.find(({ status }) => status >= 500 && !(byNginx && nginxOwn.has(status)));
  if (broken) return `answered ${broken.status}`;
  const isHidden = hides && !(byNginx && openToNginx);
  if (isHidden && answers.some(({ body }) => body.includes(canary))) return 'answered what was hidden';
  if (!ended && (waited || !swallows)) return `left open after ${told}`;
  const own = isFollowed(conversation) ? answers.slice(0, -1) : answers;
  if (own.some(({ body }) => body.startsWith(followed))) return `the next request was not answered last: ${told}`;
  const most = requests + (ended && farewells.has(own.at(-1)?.status ?? 0) ? 1 : 0);
  if (own.length > most && !openToNginx) return `${own.length} answers: ${told}`;
  const formless = own.find(({ status, body }) => status >= 400 && !hasForm(body));
  return formless && !byNginx ? `an error of another form: ${JSON.stringify(formless)}` : undefined;
}

const hasForm = (body: string): boolean => /^(\{"code":"[A-Z_]+","message":"[^"]+"\}|<!doctype html>.*)$/s.test(body);
