import type { Trial } from './trial.ts';
import { backupPostgres, backupSqlite } from './trials/backup-under-load.ts';
import { clockJumps } from './trials/clock-jumps.ts';
import { failOver } from './trials/fail-over.ts';
import { failingSync } from './trials/failing-sync.ts';
import { foreignLock } from './trials/foreign-lock.ts';
import { fullDisk } from './trials/full-disk.ts';
import { fuzzedBodies } from './trials/fuzzed-bodies.ts';
import { hostileTexts } from './trials/hostile-texts.ts';
import { killNine } from './trials/kill-nine.ts';
import { mailDown } from './trials/mail-down.ts';
import { malformedHttp } from './trials/malformed-http.ts';
import { mixedLoad } from './trials/mixed-load.ts';
import { postgresDown } from './trials/postgres-down.ts';
import { powerCut } from './trials/power-cut.ts';
import { proxiedStreams } from './trials/proxied-streams.ts';
import { slowClients } from './trials/slow-clients.ts';
import { stopUnderLoad } from './trials/stop-under-load.ts';
import { threeProcesses } from './trials/three-processes.ts';
import { tokenStorms } from './trials/token-storms.ts';
import { twoPeople } from './trials/two-people.ts';
import { wrongCodes } from './trials/wrong-codes.ts';

export const trials: readonly Trial[] = [
  killNine,
  mixedLoad,
  powerCut,
  fullDisk,
  failingSync,
  foreignLock,
  stopUnderLoad,
  clockJumps,
  backupSqlite,
  backupPostgres,
  postgresDown,
  failOver,
  threeProcesses,
  mailDown,
  fuzzedBodies,
  wrongCodes,
  tokenStorms,
  malformedHttp,
  slowClients,
  proxiedStreams,
  twoPeople,
  hostileTexts,
];
