import type { Command } from './command.ts';
import { changeEmail } from './change-email.ts';
import { log, stats } from './overview.ts';
import { pin, unpin } from './pin.ts';
import { block, closeSessions, unblock } from './people.ts';
import { dismiss, remove, restore } from './posts.ts';
import { invite, invites, registration } from './registration.ts';
import { reports } from './reports.ts';
import { appoint, dismissModerator } from './roles.ts';

/** In the order of the help text. */
export const commands: readonly Command[] = [
  reports,
  remove,
  restore,
  dismiss,
  block,
  unblock,
  closeSessions,
  changeEmail,
  pin,
  unpin,
  appoint,
  dismissModerator,
  registration,
  invite,
  invites,
  log,
  stats,
];
