import { CommandError } from '../admin/command-error.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs work that is undone before the process ends: meanwhile these signals only abort the signal that it is given. */
export async function interruptible(work: (interrupted: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const interrupt = (name: NodeJS.Signals): void =>
    controller.abort(new CommandError(`Восстановление прервано (${name}): данные такие же, как до него.`));
  for (const name of signals) process.on(name, interrupt);
  try {
    await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}
