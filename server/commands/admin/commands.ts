import { postCommands, personCommands } from './acts.ts';
import type { Command } from './command.ts';
import { changeEmail } from './change-email.ts';
import { mailCheck } from './mail-check/mail-check.ts';
import { log, stats } from './overview.ts';
import { pin, unpin } from './pin.ts';
import { block, closeSessions, unblock } from './people.ts';
import { invite, invites, registration } from './registration.ts';
import { reports } from './reports.ts';

/** In the order of the help text. */
export const commands: readonly Command[] = [
  reports,
  ...postCommands,
  block,
  unblock,
  closeSessions,
  changeEmail,
  pin,
  unpin,
  ...personCommands,
  registration,
  invite,
  invites,
  mailCheck,
  log,
  stats,
];
