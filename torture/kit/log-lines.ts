const error = 50;

/** Lines that are no JSON, that somebody wrote who should not, or that tell of a failure of ours. */
export function unlawfulLogLines(lines: readonly string[]): string[] {
  return lines.filter((line) => {
    try {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string };
      return level >= error || msg === 'forged';
    } catch {
      return true;
    }
  });
}
