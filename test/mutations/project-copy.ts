import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Mutation } from './mutation.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const leftOut = new Set(['.git', 'data', 'node_modules', 'test-results']);

/** A mutation applies when the text that it replaces occurs exactly once in its file. */
export function applies({ file, from }: Mutation, folder = root): boolean {
  const path = join(folder, file);
  return existsSync(path) && readFileSync(path, 'utf8').split(from).length === 2;
}

/** A copy of the project in which one file at a time is changed. */
export class ProjectCopy {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  #changed: { path: string; original: string } | undefined;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.env = { ...process.env, ...env };
  }

  static make(env: NodeJS.ProcessEnv): ProjectCopy {
    const folder = mkdtempSync(join(tmpdir(), 'stena-mutation-'));
    cpSync(root, folder, { recursive: true, filter: (path) => !leftOut.has(relative(root, path)) });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return new ProjectCopy(folder, env);
  }

  /** `build` builds the web app from the changed sources. */
  async change({ file, from, to }: Mutation, { build }: { build: boolean }): Promise<void> {
    const path = join(this.folder, file);
    const original = readFileSync(path, 'utf8');
    this.#changed = { path, original };
    writeFileSync(
      path,
      original.replace(from, () => to),
    );
    if (!build) return;
    renameSync(this.#dist, this.#originalDist);
    await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: this.folder, env: this.env });
  }

  restore(): void {
    if (!this.#changed) return;
    writeFileSync(this.#changed.path, this.#changed.original);
    this.#changed = undefined;
    if (!existsSync(this.#originalDist)) return;
    rmSync(this.#dist, { recursive: true, force: true });
    renameSync(this.#originalDist, this.#dist);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  get #dist(): string {
    return join(this.folder, 'dist');
  }

  get #originalDist(): string {
    return join(this.folder, 'dist.original');
  }
}
