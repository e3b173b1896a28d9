import { readFileSync } from 'node:fs';

const number = '(0|[1-9]\\d*)';
const versionPattern = new RegExp(`^${number}\\.${number}\\.${number}(-[0-9A-Za-z.-]+)?$`);

/**
 * Why this version cannot be released; undefined if it can. A candidate such as 1.0.0-rc.1 needs no section in the changelog; any
 * other version needs a dated section.
 */
export function changelogProblem(version, file) {
  const [, , , , candidate] = versionPattern.exec(version ?? '') ?? [];
  if (!versionPattern.test(version ?? '')) return 'Usage: npm run release -- 1.0.0 (or a candidate: 1.0.0-rc.1)';
  const text = readFileSync(file, 'utf8');
  if (candidate || sectionOf(version, text)?.trim()) return undefined;
  return `CHANGELOG.md has no section “## [${version}] - YYYY-MM-DD” that says what changed: rename “## [Unreleased]”.`;
}

/** The text below the heading of a version. */
function sectionOf(version, text) {
  const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm');
  const [, after] = text.split(heading);
  return after?.split(/^## /m, 1)[0];
}
