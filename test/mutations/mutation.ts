/** Changes to the program by the rule of docs/reliability.md that they break and by what is wrong after them. */
export type Mutations = Record<
  number,
  Record<
    string,
    {
      /** `from` occurs exactly once in the file. */
      change: readonly [file: string, from: string, to: string];
      /** A file of unit tests or browser tests, and a part of the title of those that must fail, as it is written there. */
      test: readonly [file: string, title: string];
    }
  >
>;

export interface Mutation {
  rule: number;
  how: string;
  file: string;
  from: string;
  to: string;
  test: string;
  title: string;
}

export const listed = (mutations: Mutations): readonly Mutation[] =>
  Object.entries(mutations).flatMap(([rule, changes]) =>
    Object.entries(changes).map(
      ([
        how,
        {
          change: [file, from, to],
          test: [test, title],
        },
      ]) => {
        return { rule: Number(rule), how, file, from, to, test, title };
      },
    ),
  );
