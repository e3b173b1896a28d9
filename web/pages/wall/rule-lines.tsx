import { use } from 'react';
import type { FormFields } from '#contract/page-data.ts';
import { FormStateContext } from '../../forms/form-host.ts';
import { formProblem } from '../../forms/page-module.ts';
import styles from './rule-lines.module.css';

/** A text of rules that is a title, one list and at most one closing paragraph. */
interface RuleList {
  title: string;
  rules: readonly string[];
  isNumbered: boolean;
  after: string;
}

/** A line that begins no other block of Markdown. */
const paragraph = String.raw`(?![-*+>#|=~\s]|\d+[.)])[^\n]+`;
const ruleText = new RegExp(String.raw`^# ([^\n]+)\n\n((?:(?:-|\d+\.) \S[^\n]*\n+)+)(?:(?<=\n\n)(${paragraph}))?\n*$`);

/** Reads a text of rules as lines. Null if the text says anything that the lines would lose. */
export function rulesIn(markdown: string): RuleList | null {
  // Long runs of empty lines would make the expression slow.
  const text = `${markdown
    .trim()
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n{3,}/g, '\n\n')}\n`;
  const [, title = '', lines = '', after = ''] = ruleText.exec(text) ?? [];
  const isNumbered = lines.startsWith('1. ');
  const rules = lines.split(/\n+/).filter(Boolean);
  const list = { title, rules: rules.map((line) => line.replace(/^\S+ /, '')), isNumbered, after };
  // The lines are numbered anew, so a list with other numbers, or of both kinds, is left as it is.
  return rules.length > 0 && markdownOf(list).replaceAll(/\s+/g, ' ') === text.replaceAll(/\s+/g, ' ') ? list : null;
}

export function markdownOf({ title, rules, isNumbered, after }: RuleList): string {
  const list = rules.map((rule, index) => `${isNumbered ? `${index + 1}.` : '-'} ${rule}`).join('\n');
  return `# ${title}\n\n${list}\n${after && `\n${after}\n`}`;
}

/** The rules of a sent form whose box is ticked, and the owner's own one, which has no box. */
export function chosenRules(fields: FormFields): string[] {
  const chosen: string[] = [];
  for (let number = 1; `rule${number}` in fields; number += 1) {
    const isOwn = !(`rule${number + 1}` in fields);
    const rule = fields[`rule${number}`]!.replaceAll(/\s+/g, ' ').trim();
    if (rule !== '' && (isOwn || `with${number}` in fields)) chosen.push(rule);
  }
  if (chosen.length === 0) throw formProblem('Оставьте хотя бы одно правило.');
  return chosen;
}

/** Rules that the owner can change or leave out, and an empty line for another one. */
export const RuleLines = ({ rules }: { rules: readonly string[] }) => (
  <ul className={styles.rules}>
    {[...rules, ''].map((rule, index) => (
      <Rule key={`${index} ${rule}`} number={index + 1} rule={rule} />
    ))}
  </ul>
);

const ruleLength = 300;

/** A rule that the owner can change or leave out. An empty one is for the owner's own words. */
function Rule({ number, rule }: { number: number; rule: string }) {
  const { values } = use(FormStateContext);
  const name = `rule${number}`;
  const box = `with${number}`;
  return (
    <li className={styles.rule}>
      {rule === '' ? (
        <label htmlFor={name}>Своё правило</label>
      ) : (
        <label>
          <input
            type="checkbox"
            name={box}
            value="1"
            defaultChecked={values ? box in values : true}
            aria-label={`Взять правило ${number}`}
          />
        </label>
      )}
      <textarea
        id={name}
        name={name}
        defaultValue={values?.[name] ?? rule}
        rows={2}
        maxLength={Math.max(ruleLength, rule.length)}
        aria-label={rule === '' ? undefined : `Правило ${number}`}
      />
    </li>
  );
}
