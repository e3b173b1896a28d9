import { parentPort, workerData } from 'node:worker_threads';
import { encode, generated } from '../measurements/requests.ts';
import { runSteadily } from '../measurements/run-load.ts';

export interface Flood {
  port: number;
  seconds: number;
  paths: readonly string[];
  addresses: number;
  perSecond: number;
}

// In a thread of its own, so that its work does not delay what is measured meanwhile.
const { port, seconds, paths, addresses, perSecond } = workerData as Flood;
const requests = generated((i) =>
  encode('GET', paths[i % paths.length]!, { 'x-forwarded-for': `10.0.0.${1 + (i % addresses)}` }),
);
parentPort!.postMessage(
  await runSteadily({ port, seconds, connections: addresses, perSecond, requests, refused: 429 }),
);
