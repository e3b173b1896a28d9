import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freshDatabase } from '../kit/postgres.ts';
import { table } from '../figures/report.ts';
import { abuse } from './abuse.ts';
import { accounts } from './accounts.ts';
import { browsers } from './browsers.ts';
import { codes } from './codes.ts';
import { comingBack } from './coming-back.ts';
import { sending } from './sending.ts';
import { apiDescription } from './api-description.ts';
import { documents } from './documents.ts';
import { engines } from './engines.ts';
import { groupedNotifications } from './grouped-notifications.ts';
import { input } from './input.ts';
import { largeLists } from './large-lists.ts';
import { letters } from './letters.ts';
import { limits } from './limits.ts';
import type { Mutation } from './mutation.ts';
import { homeScreen } from './home-screen.ts';
import { navigation } from './navigation.ts';
import { notifications } from './notifications.ts';
import { operations } from './operations.ts';
import { ownership } from './ownership.ts';
import { pageLag } from './page-lag.ts';
import { processes } from './processes.ts';
import { applies, ProjectCopy, root } from './project-copy.ts';
import { programs } from './programs.ts';
import { reading } from './reading.ts';
import { releases } from './releases.ts';
import { runTests } from './run-tests.ts';
import { searchPage } from './search-page.ts';
import { search } from './search.ts';
import { sessions } from './sessions.ts';
import { storage } from './storage.ts';
import { findTitles } from './test-titles.ts';
import { threads } from './threads.ts';
import { desk } from './desk.ts';
import { deskScreens } from './desk-screens.ts';
import { undo } from './undo.ts';

// Applies one mutation at a time to a copy of the project and expects the named test to fail there.

const mutations: readonly Mutation[] = [
  codes,
  limits,
  sessions,
  accounts,
  documents,
  apiDescription,
  ownership,
  input,
  abuse,
  largeLists,
  pageLag,
  sending,
  threads,
  notifications,
  reading,
  comingBack,
  groupedNotifications,
  search,
  undo,
  letters,
  desk,
  deskScreens,
  storage,
  releases,
  processes,
  programs,
  operations,
  engines,
  browsers,
  homeScreen,
  navigation,
  searchPage,
].flat();

type Verdict = 'noticed' | 'UNNOTICED' | 'NO TEST' | 'NO MATCH' | 'ERROR';

const { values } = parseArgs({
  options: {
    /** Numbers of rules, separated by commas. */
    only: { type: 'string' },
    /** Skips the mutations that were noticed since the last whole run began. */
    resume: { type: 'boolean', default: false },
    /** Only verifies that each mutation applies to the current sources and that its test exists. */
    check: { type: 'boolean', default: false },
  },
});
const only = values.only?.split(',').map(Number);
const chosen = mutations.filter(({ rule }) => !only || only.includes(rule)).toSorted((a, b) => a.rule - b.rule);

/** Keys of the mutations that were noticed, one per line. */
const progressFile = join(root, 'node_modules/.cache/mutations-noticed');
const keyOf = (mutation: Mutation): string => createHash('sha256').update(JSON.stringify(mutation)).digest('hex');

process.exitCode = (await (values.check ? reportStale() : applyAll())) === 0 ? 0 : 1;
// The PostgreSQL server of the tests ends with this process.
process.exit();

/** Prints the mutations that do not apply or whose test does not exist; resolves to their number. */
async function reportStale(): Promise<number> {
  const titles = await findTitles(new Set(chosen.map(({ test }) => test)));
  let stale = 0;
  for (const mutation of chosen) {
    const wanted = new RegExp(mutation.name);
    const hasTest = titles.get(mutation.test)?.some((title) => wanted.test(title)) ?? false;
    if (applies(mutation) && hasTest) continue;
    report(applies(mutation) ? 'NO TEST' : 'NO MATCH', mutation);
    stale += 1;
  }
  return stale;
}

/** Resolves to the number of mutations that were not noticed. */
async function applyAll(): Promise<number> {
  if (!only && !values.resume) rmSync(progressFile, { force: true });
  const progress = values.resume && existsSync(progressFile) ? readFileSync(progressFile, 'utf8') : '';
  const noticed = new Set(progress.split('\n'));
  const verdicts = new Map<Mutation, Verdict>();
  const { url } = await freshDatabase();
  const project = ProjectCopy.make({ ENGINE_URL: new URL('/postgres', url).href });
  const judge = judgeIn(project);
  try {
    for (const mutation of chosen) {
      const began = performance.now();
      const verdict = noticed.has(keyOf(mutation)) ? 'noticed' : await judge(mutation);
      verdicts.set(mutation, verdict);
      report(verdict, mutation, performance.now() - began);
      if (verdict === 'noticed') writeFileSync(progressFile, `${keyOf(mutation)}\n`, { flag: 'a' });
    }
  } finally {
    project.remove();
  }
  return summarize(verdicts);
}

function summarize(verdicts: ReadonlyMap<Mutation, Verdict>): number {
  const failed = [...verdicts].filter(([, verdict]) => verdict !== 'noticed');
  const rows = [...new Set(chosen.map(({ rule }) => rule))].map((rule) => {
    const ofRule = (all: Iterable<[Mutation, Verdict]>): number => [...all].filter(([one]) => one.rule === rule).length;
    const [all, bad] = [ofRule(verdicts), ofRule(failed)];
    return [String(rule), String(all), String(all - bad), bad === 0 ? 'ok' : 'short'];
  });
  console.log(`\n${table(['rule', 'mutations', 'noticed', ''], rows)}\n`);
  for (const [mutation, verdict] of failed) report(verdict, mutation);
  console.log(`${verdicts.size} mutations, ${verdicts.size - failed.length} noticed, ${failed.length} failed`);
  return failed.length;
}

function report(verdict: Verdict, { rule, how, test }: Mutation, tookMs?: number): void {
  const seconds = tookMs === undefined ? '' : `${(tookMs / 1_000).toFixed(1).padStart(6)} s`;
  console.log(`${verdict.padEnd(9)}${seconds}  ${String(rule).padStart(2)}  ${how}  (${test})`);
}

function judgeIn(project: ProjectCopy): (mutation: Mutation) => Promise<Verdict> {
  const unchanged = new Map<string, Promise<boolean>>();

  /** A test that fails anyway or does not exist proves nothing. */
  function passesUnchanged(test: string, name: string): Promise<boolean> {
    const key = `${test} ${name}`;
    const passes = unchanged.get(key) ?? runTests(project, test, name).then(passed);
    unchanged.set(key, passes);
    return passes;
  }

  return async (mutation) => {
    const { file, test, name } = mutation;
    if (!applies(mutation, project.folder)) return 'NO MATCH';
    try {
      if (!(await passesUnchanged(test, name))) return 'NO TEST';
      // Unit tests of the web app import its sources, browsers load its build.
      await project.change(mutation, { build: file.startsWith('web/') && !test.endsWith('.test.ts') });
      return (await runTests(project, test, name)).seenFailing ? 'noticed' : 'UNNOTICED';
    } catch (error) {
      console.error(error);
      return 'ERROR';
    } finally {
      project.restore();
    }
  };
}

function passed(run: { passed: boolean; output: string }): boolean {
  if (!run.passed) console.error(run.output);
  return run.passed;
}
