/** A rule of docs/reliability.md, broken by one change of the program, and the test that must notice. */
export interface BrokenRule {
  rule: number;
  /** What the change takes out, in words. */
  how: string;
  file: string;
  /** Stands exactly once in the file. */
  from: string;
  to: string;
  /** A file of tests: `.test.ts`, `.spec.ts` for the browser's, or `e2e/browsers/main.ts`, done in Firefox and WebKit. */
  test: string;
  /** A regular expression for the name of the test that must fail. */
  name: string;
}
