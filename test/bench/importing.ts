import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf, startCommand } from '../kit/command-process.ts';
import { type Engine, engines, openFresh } from '../kit/engines.ts';
import { writeTelegramExport } from '../kit/exports/telegram-export.ts';
import { count, megabytes } from '../measurements/numbers.ts';
import { below, type Figure } from '../measurements/report.ts';
import type { Scenario } from './scenario.ts';

const plan = { messages: 200_000, people: 2_000, seed: 1, from: 1_580_000_000 };
const secondsAtMost: Readonly<Record<Engine, number>> = { sqlite: 240, postgres: 480 };
const memoryAtMost = 400e6;

/** An export of a Telegram group moves in: how long it takes and how much memory. */
export const importing: Scenario = {
  name: 'import',
  async measure() {
    const figures: Figure[] = [];
    for (const engine of engines) {
      await using fresh = await openFresh(engine);
      const file = join(fresh.place.dataDir, 'result.json');
      await writeTelegramExport(file, plan);
      const startedAt = performance.now();
      const args = ['telegram', file];
      const { child, ended } = startCommand('server/commands/import/main.ts', fresh.place, args, {});
      const peak = peakMemory(child.pid!);
      outputOf(await ended, args);
      const seconds = (performance.now() - startedAt) / 1_000;
      const what = `${count(plan.messages)} Telegram messages imported, ${engine}`;
      const rate = `${count(plan.messages / seconds)} messages a second`;
      figures.push(below(what, seconds, secondsAtMost[engine], rate, (value) => `${Math.round(value)} s`));
      figures.push(below(`${what}: memory`, await peak, memoryAtMost, 'the most resident memory', megabytes));
    }
    return figures;
  },
};

/** The most memory that a process has had when it ends. */
async function peakMemory(pid: number): Promise<number> {
  for (let peak = 0; ; await sleep(100)) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(status) ?? [];
    if (kilobytes === undefined) return peak;
    peak = Number(kilobytes) * 1_024;
  }
}
