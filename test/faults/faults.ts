import { clockJumps } from './cases/clock-jumps.ts';
import { cluster } from './cases/cluster.ts';
import { codesAndTokens } from './cases/codes-and-tokens.ts';
import { digest } from './cases/digest.ts';
import { manyFollowers } from './cases/followers.ts';
import { histories } from './cases/histories.ts';
import { larger } from './cases/larger.ts';
import { mailDown } from './cases/mail-down.ts';
import { malformedHttp } from './cases/malformed-http.ts';
import { postgresDownOrPooled } from './cases/postgres-down.ts';
import { postgresMoves } from './cases/postgres-moves.ts';
import { readingDevices } from './cases/reading-devices.ts';
import { replicas } from './cases/replicas.ts';
import { manyClients } from './cases/slow-clients.ts';
import { stopsAndCopies } from './cases/stops-and-copies.ts';
import { storage } from './cases/storage.ts';
import { threeProcesses } from './cases/three-processes.ts';
import type { Fault } from './fault.ts';

export const faults: readonly Fault[] = [
  ...storage,
  ...stopsAndCopies,
  clockJumps,
  ...postgresDownOrPooled,
  ...postgresMoves,
  cluster,
  histories,
  replicas,
  threeProcesses,
  mailDown,
  digest,
  ...codesAndTokens,
  malformedHttp,
  ...manyClients,
  readingDevices,
  manyFollowers,
  ...larger,
];
