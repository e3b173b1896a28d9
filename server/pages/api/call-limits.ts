import { isForKeepers } from '#contract/endpoint.ts';
import { table } from '#contract/table.ts';
import { signInBudgets, type BudgetSettings } from '../../features/sign-in/budgets.ts';
import type { Limit } from '../../limits/budgets.ts';
import { writingBudgets } from '../../limits/writing-budgets.ts';

type BudgetName = keyof ReturnType<typeof writingBudgets>;

/** These calls of keepers change nothing on the wall. */
const noActs = new Set(['startModeration', 'verifyModeration', 'previewKeepText']);
const keepersActs = table.filter(
  ({ name, endpoint }) => isForKeepers(endpoint.access) && endpoint.method !== 'GET' && !noActs.has(name),
);

/** The budget of a person that a call spends, by the name of the call. */
export const budgetOf: Readonly<Record<string, BudgetName>> = {
  createPost: 'posts',
  createReply: 'posts',
  editPost: 'edits',
  deletePost: 'deletions',
  restorePost: 'restorations',
  sharePost: 'bookmarks',
  unsharePost: 'bookmarks',
  likePost: 'likes',
  unlikePost: 'unlikes',
  mute: 'mutes',
  unmute: 'mutes',
  saveBookmark: 'bookmarks',
  removeBookmark: 'bookmarks',
  follow: 'follows',
  unfollow: 'follows',
  putNotificationSettings: 'settings',
  makeInvitation: 'settings',
  endInvitation: 'settings',
  putReading: 'readings',
  checkUsername: 'nameChecks',
  listSuggestions: 'suggestions',
  changeProfile: 'renames',
  exportAccount: 'exports',
  reportPost: 'reports',
  ...Object.fromEntries(keepersActs.map(({ name }) => [name, 'acts' as const])),
  approvePost: 'approvals',
  undoAct: 'undos',
};

/** Calls that spend the budget of another call as well, by their names, with the words about it. */
export const alsoSpends: Readonly<Record<string, { budget: BudgetName; words: string }>> = {
  changeProfile: { budget: 'nameChecks', words: '; каждая попытка считается и проверкой имени' },
};

const mailingCalls = [
  'startLogin',
  'startRegistration',
  'startEmailChange',
  'startDeviceConfirmation',
  'startDeletion',
  'startApiToken',
];
const codeCalls = [
  'verifyLogin',
  'verifyRegistration',
  'verifyEmailChange',
  'verifyDeviceConfirmation',
  'verifyDeletion',
  'verifyApiToken',
];

/** How often a person may make each call, as a sentence, by the name of the call. */
export function callLimits(settings: BudgetSettings): Record<string, string> {
  const ofPerson = writingBudgets(settings);
  const ofAddress = signInBudgets(settings);
  const requester = { email: '', knownDevice: undefined };
  const mails = often(ofAddress.mails('login', requester).limits);
  const codes = often(ofAddress.wrongCodes(requester).limits);
  const limits = [
    ...Object.entries(budgetOf).map(([call, budget]) => [
      call,
      often(ofPerson[budget](0).limits),
      alsoSpends[call]?.words ?? '',
    ]),
    ...mailingCalls.map((call) => [call, mails, ', считая письма на один адрес']),
    ...codeCalls.map((call) => [call, codes, ', считая неверные коды']),
  ];
  const limited = limits.filter(([, text]) => text !== '');
  return Object.fromEntries(limited.map(([call, text, what]) => [call!, `Не чаще ${text}${what}.`]));
}

const periods: Record<number, string> = { 60: 'в минуту', 3_600: 'в час', 86_400: 'в сутки' };

function often(limits: readonly Limit[]): string {
  const parts = limits.map(({ count, seconds }) => `${times(count)} ${periods[seconds] ?? `за ${seconds} с`}`);
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} и ${parts.at(-1)}`;
}

/** In the genitive, as after `чаще`. */
const times = (count: number): string => (count % 10 === 1 && count % 100 !== 11 ? `${count} раза` : `${count} раз`);
