import { type CallRow, callTable } from '#contract/calls.ts';
import { isForKeepers } from '#contract/call.ts';
import { signInBudgets, type BudgetSettings } from '../../features/sign-in/sign-in-budgets.ts';
import type { Budget } from '../../limits/budgets.ts';
import { writingBudgets } from '../../limits/writing-budgets.ts';

type BudgetName = keyof ReturnType<typeof writingBudgets>;

/** These calls of keepers change nothing on the wall. */
const noActs = new Set(['startModeration', 'verifyModeration', 'previewKeepText']);
const isAct = ({ name, access, method }: CallRow) => isForKeepers(access) && method !== 'GET' && !noActs.has(name);

/** The budget of a person that a call spends, by the name of the call. */
export const budgetOf = Object.fromEntries(
  callTable.flatMap((row) => {
    const budget = row.spends ?? (isAct(row) && 'acts');
    return budget ? [[row.name, budget]] : [];
  }),
) as Record<string, BudgetName>;

/** Calls that also spend another budget, by their names, with the words about it. */
export const alsoSpends: Readonly<Record<string, { budget: BudgetName; words: string }>> = {
  changeProfile: { budget: 'nameChecks', words: '; каждая попытка считается и проверкой имени' },
};

const mailingCalls = ['startLogin', 'startRegistration', 'startEmailChange', 'startDeletion', 'startApiToken'];
const codeCalls = ['verifyLogin', 'verifyRegistration', 'verifyEmailChange', 'verifyDeletion', 'verifyApiToken'];

/** How often a person may make each call, as a sentence, by the name of the call. */
export function callLimits(settings: BudgetSettings): Record<string, string> {
  const ofPerson = writingBudgets(settings);
  const ofAddress = signInBudgets(settings);
  const requester = { email: '', knownDevice: undefined };
  const mails = often(ofAddress.mails('login', requester));
  const codes = often(ofAddress.wrongCodes(requester));
  const limits = [
    ...Object.entries(budgetOf).map(([call, budget]) => [
      call,
      often(ofPerson[budget](0)),
      alsoSpends[call]?.words ?? '',
    ]),
    ...mailingCalls.map((call) => [call, mails, ', считая письма на один адрес']),
    ...codeCalls.map((call) => [call, codes, ', считая неверные коды']),
  ];
  const limited = limits.filter(([, text]) => text !== '');
  return Object.fromEntries(limited.map(([call, text, what]) => [call!, `Не чаще ${text}${what}.`]));
}

const periods: Record<number, string> = { 60: 'в минуту', 3_600: 'в час', 86_400: 'в сутки' };

function often({ limits, refill }: Budget): string {
  const parts = limits.map(({ count, seconds }) => `${times(count)} ${periods[seconds] ?? `за ${seconds} с`}`);
  if (refill && parts.length > 0) {
    parts.unshift(`${times(refill.atOnce)} подряд`, `потом ${times(60 / refill.everySeconds)} в минуту`);
  }
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} и ${parts.at(-1)}`;
}

/** In the genitive, which follows `чаще`. */
const times = (count: number): string => (count % 10 === 1 && count % 100 !== 11 ? `${count} раза` : `${count} раз`);
