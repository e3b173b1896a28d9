import { setTimeout as sleep } from 'node:timers/promises';
import type { Machine } from './machines.ts';
import type { PatroniCluster } from './patroni-cluster.ts';

const longerThanTtlMs = 8_000;

/** Something bad that happens to a cluster, and whether another machine has to take over. */
export interface Trouble {
  name: string;
  takesOver: boolean;
  happen(cluster: PatroniCluster, leader: Machine): Promise<void> | void;
}

export const killedPostgres: Trouble = {
  name: 'PostgreSQL killed',
  takesOver: true,
  happen: (_, leader) => leader.kill('postgres'),
};

export const troubles: readonly Trouble[] = [
  killedPostgres,
  { name: 'machine killed', takesOver: true, happen: (_, leader) => leader.kill() },
  { name: 'PostgreSQL stopped', takesOver: true, happen: (_, leader) => leader.signal('SIGSTOP', 'postgres') },
  { name: 'machine stopped', takesOver: true, happen: (_, leader) => leader.signal('SIGSTOP') },
  { name: 'primary cut off', takesOver: true, happen: (_, leader) => leader.cutOff() },
  {
    name: 'synchronous standby cut off',
    takesOver: false,
    happen: async (cluster) => (await cluster.standby('sync_standby')).cutOff(),
  },
  {
    name: 'leader of etcd killed',
    takesOver: false,
    happen: async (cluster) => (await cluster.leaderOfEtcd()).kill('/usr/bin/etcd'),
  },
  {
    name: 'etcd killed on two machines',
    takesOver: false,
    async happen(cluster) {
      await Promise.all(cluster.machines.slice(0, 2).map((machine) => machine.kill('/usr/bin/etcd')));
      await sleep(longerThanTtlMs);
    },
  },
  { name: 'switchover', takesOver: true, happen: (cluster, leader) => cluster.switchOver(leader) },
  {
    name: 'PostgreSQL and the leader of etcd killed',
    takesOver: true,
    async happen(cluster, leader) {
      const etcd = await cluster.leaderOfEtcd();
      await Promise.all([etcd.kill('/usr/bin/etcd'), leader.kill('postgres')]);
    },
  },
  {
    name: 'primary cut off and PostgreSQL of a standby killed',
    takesOver: true,
    async happen(cluster, leader) {
      const standby = await cluster.standby('replica');
      leader.cutOff();
      await standby.kill('postgres');
    },
  },
];
