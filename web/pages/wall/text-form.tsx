import { use, useEffect, useMemo, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import { codePoints } from '#contract/text.ts';
import { wallTextLength } from '#contract/wall-setting-rules.ts';
import type { StoredText } from '#contract/wall-admin.ts';
import type { FormFields } from '#contract/page-data.ts';
import wallText from '../../features/wall-texts/wall-text-page.module.css';
import { Carried, TextField } from '../../forms/fields.tsx';
import { FormHostContext, FormStateContext } from '../../forms/form-host.ts';
import { Form } from '../../forms/form.tsx';
import { type Act, formProblem, type PageContext } from '../../forms/page-module.ts';
import { trustedHtml } from '../../lib/trusted-html.ts';
import { Button } from '../../ui/button.tsx';
import { chosenRules, markdownOf, RuleLines, rulesIn } from './rule-lines.tsx';
import styles from './wall-admin.module.css';

export const textNames: Readonly<Record<string, string>> = {
  about: 'О стене',
  rules: 'Правила',
  privacy: 'Конфиденциальность',
  consent: 'Согласие на обработку данных',
};

const sourceNames: Readonly<Record<string, string>> = {
  file: 'Файл. Его меняет тот, кто ставил стену.',
  wall: 'Текст написан здесь.',
  default: 'Готовый текст.',
  none: 'Не написано: согласия при регистрации не спрашивают.',
};

/** The words for the source of a text. */
export const sourceWords = ({ name, source }: Pick<StoredText, 'name' | 'source'>): string =>
  name === 'rules' && source === 'wall' ? 'Правила написаны здесь.' : sourceNames[source]!;

/** The label of the button that removes the owners' text. It says what replaces the text. */
const withoutText = (name: string): string => (name === 'consent' ? 'Не спрашивать согласия' : 'Вернуть готовый текст');

export const isFile = ({ source }: Pick<StoredText, 'source'>): boolean => source === 'file';

const check = (typed: string) => {
  const remaining = wallTextLength - codePoints(typed);
  return { isGood: typed.trim() !== '' && remaining >= 0, problem: null, remaining: remaining < 0 ? remaining : null };
};

/** The id of the row that leads to a text. */
export const textId = (name: string): string => `text-${name}`;

interface TextFormProps {
  text: StoredText;
  /** The result of the act: a preview of the text. */
  made: FormFields;
}

/** Changes one of the texts about the wall. Rules that are one list are edited as lines, and their Markdown is folded. */
export function TextForm({ text, made: { id, ...made } }: TextFormProps) {
  const { sent } = use(FormHostContext);
  const { name, markdown } = text;
  const preview = id === name ? made : {};
  const list = name === 'rules' ? rulesIn(markdown) : null;
  const form = <MarkdownForm text={text} typed={preview['text']} />;
  return (
    <section className={styles.section} aria-label={textNames[name]}>
      <p className={styles.quiet}>{sourceWords(text)}</p>
      {preview['html'] !== undefined && <Preview title={preview['title']!} html={preview['html']} />}
      {list ? (
        <>
          <Form act="rules" submit="Сохранить">
            <Carried name="title" value={list.title} />
            <Carried name="after" value={list.after} />
            <Carried name="numbered" value={list.isNumbered ? '1' : ''} />
            <RuleLines rules={list.rules} />
          </Form>
          <details open={sent?.fields['act'] === 'text' || preview['html'] !== undefined}>
            <summary className={styles.summary}>Подробнее</summary>
            {form}
          </details>
        </>
      ) : (
        form
      )}
    </section>
  );
}

/** The whole text, and the button that removes it. */
function MarkdownForm({ text: { name, source, markdown }, typed }: { text: StoredText; typed: string | undefined }) {
  return (
    <div className={styles.markdown}>
      <Form act="text" id={name} submit="Сохранить" isForText>
        <TextField name="text" label="Текст с разметкой Markdown" value={typed ?? markdown} check={check} />
        <PreviewButton />
      </Form>
      {source === 'wall' && <Form act="withoutText" id={name} submit={withoutText(name)} variant="plain" />}
    </div>
  );
}

function PreviewButton() {
  const { isBusy } = use(FormStateContext);
  return (
    <Button type="submit" name="preview" value="1" busy={isBusy}>
      Показать, как будет
    </Button>
  );
}

function Preview({ title, html }: { title: string; html: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const content = useMemo(() => trustedHtml(html), [html]);
  // The preview moves the pressed button down, so the focus goes to the heading of the preview.
  useEffect(() => heading.current!.focus(), [html]);
  return (
    <section aria-label="Как будет" className={wallText.text}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <div dangerouslySetInnerHTML={{ __html: content }} />
    </section>
  );
}

const nameIn = ({ query }: PageContext) => ({ name: query.get('text') ?? '' });

/** Saves the owners' text. Null removes it, so that the program's own text is shown, if there is one. */
export const saveText = (call: PageContext['call'], name: string, markdown: string | null) =>
  call('PUT /keep/texts/{name}', { params: { name }, body: { markdown } });

async function save(context: PageContext, markdown: string | null) {
  const params = nameIn(context);
  await saveText(context.call, params.name, markdown);
  return { message: 'Сохранено', to: `${addresses.keep.href()}#${textId(params.name)}` };
}

export const textActs: Record<string, Act> = {
  async text(context, { id = '', text = '', preview }) {
    if (text.trim() === '') throw formProblem('Введите текст.');
    if (preview === undefined) return save(context, text);
    const shown = await context.call('POST /keep/texts/{name}/preview', {
      params: nameIn(context),
      body: { markdown: text },
    });
    return { handed: { id, text, ...shown } };
  },
  async rules(context, fields) {
    const { title = '', after = '', numbered = '' } = fields;
    return save(context, markdownOf({ title, rules: chosenRules(fields), isNumbered: numbered !== '', after }));
  },
  withoutText: (context) => save(context, null),
};
