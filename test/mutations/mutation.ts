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
