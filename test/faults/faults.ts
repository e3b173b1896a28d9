import type { Fault } from './fault.ts';
import { backupPostgres, backupSqlite } from './cases/backup-under-load.ts';
import { clockJumps } from './cases/clock-jumps.ts';
import { cluster } from './cases/cluster.ts';
import { continuousCopy } from './cases/continuous-copy.ts';
import { digest } from './cases/digest.ts';
import { failOver } from './cases/fail-over.ts';
import { failingSync } from './cases/failing-sync.ts';
import { manyFollowers } from './cases/followers.ts';
import { foreignLock } from './cases/foreign-lock.ts';
import { fullDisk } from './cases/full-disk.ts';
import { fuzzedBodies } from './cases/fuzzed-bodies.ts';
import { histories } from './cases/histories.ts';
import { hostileTexts } from './cases/hostile-texts.ts';
import { killNine } from './cases/kill-nine.ts';
import { mailDown } from './cases/mail-down.ts';
import { malformedHttp } from './cases/malformed-http.ts';
import { mixedLoad } from './cases/mixed-load.ts';
import { pooler } from './cases/pooler.ts';
import { postgresDown } from './cases/postgres-down.ts';
import { powerCut } from './cases/power-cut.ts';
import { proxiedStreams } from './cases/proxied-streams.ts';
import { readingDevices } from './cases/reading-devices.ts';
import { replicas } from './cases/replicas.ts';
import { searchEngines } from './cases/search-engines.ts';
import { slowClients } from './cases/slow-clients.ts';
import { stopUnderLoad } from './cases/stop-under-load.ts';
import { takenBack } from './cases/taken-back.ts';
import { threeProcesses } from './cases/three-processes.ts';
import { tokenStorms } from './cases/token-storms.ts';
import { twoPeople } from './cases/two-people.ts';
import { upgradePostgres } from './cases/upgrade-postgres.ts';
import { wrongCodes } from './cases/wrong-codes.ts';

export const faults: readonly Fault[] = [
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
  continuousCopy,
  postgresDown,
  failOver,
  cluster,
  histories,
  replicas,
  pooler,
  upgradePostgres,
  threeProcesses,
  mailDown,
  digest,
  fuzzedBodies,
  searchEngines,
  wrongCodes,
  tokenStorms,
  malformedHttp,
  slowClients,
  proxiedStreams,
  readingDevices,
  takenBack,
  manyFollowers,
  twoPeople,
  hostileTexts,
];
