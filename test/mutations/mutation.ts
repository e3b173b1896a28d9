/** A change to the program that breaks a rule of docs/reliability.md, and the test that must notice it. */
export interface Mutation {
  /** Number of the rule. */
  rule: number;
  /** What is wrong after the change. */
  how: string;
  file: string;
  /** Source text that occurs exactly once in the file. */
  from: string;
  to: string;
  /** A test file: `.test.ts`, `.spec.ts` for Chromium, or `test/e2e/browsers/main.ts` for Firefox and WebKit. */
  test: string;
  /** Regular expression for the title of the test that must fail. */
  name: string;
}

interface Described {
  change: readonly [file: string, from: string, to: string];
  test: readonly [file: string, name: string];
}

/** Mutations by the number of their rule and by what is wrong after the change. */
export function byRule(rules: Record<number, Record<string, Described>>): readonly Mutation[] {
  return Object.entries(rules).flatMap(([rule, mutations]) =>
    Object.entries(mutations).map(
      ([
        how,
        {
          change: [file, from, to],
          test: [test, name],
        },
      ]) => {
        return { rule: Number(rule), how, file, from, to, test, name };
      },
    ),
  );
}
