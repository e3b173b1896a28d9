import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const left = new Set(['.git', 'data', 'node_modules', 'test-results']);

export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8');

/** An entry applies when what it replaces stands exactly once in the file. */
export const appliesTo = (source: string, from: string): boolean => source.split(from).length === 2;

/** The project once more, to be broken. */
export class CopiedProject {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<CopiedProject> {
    const folder = await mkdtemp(join(tmpdir(), 'stena-broken-'));
    cpSync(root, folder, { recursive: true, filter: (path) => !left.has(relative(root, path)) });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return new CopiedProject(folder);
  }

  /** Changes a file; what it returns takes the change back. */
  change(file: string, from: string, to: string): () => void {
    const path = join(this.folder, file);
    const whole = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      whole.replace(from, () => to),
    );
    return () => writeFileSync(path, whole);
  }

  /** What browsers get is built from the sources. */
  async build(): Promise<void> {
    await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: this.folder });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
