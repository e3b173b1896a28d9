import { use, useEffect, useMemo, useRef } from 'react';
import { addresses } from '#contract/addresses.ts';
import { codePoints } from '#contract/text.ts';
import { wallTextLength } from '#contract/wall-setting-rules.ts';
import type { StoredText } from '#contract/wall-admin.ts';
import type { FormFields } from '#contract/page-data.ts';
import wallText from '../../features/wall-texts/wall-text-page.module.css';
import { TextField } from '../../forms/fields.tsx';
import { FormStateContext } from '../../forms/form-host.ts';
import { Form } from '../../forms/form.tsx';
import { type Act, formProblem, type PageContext } from '../../forms/page-module.ts';
import { trustedHtml } from '../../lib/trusted-html.ts';
import { Button } from '../../ui/button.tsx';
import styles from './wall-admin.module.css';

export const textNames: Readonly<Record<string, string>> = {
  about: 'О стене',
  rules: 'Правила',
  privacy: 'Конфиденциальность',
  consent: 'Согласие на обработку данных',
};

/** The words for the source of a text. */
export const sourceNames: Readonly<Record<string, string>> = {
  file: 'Файл. Его меняет тот, кто ставил стену.',
  wall: 'Написан здесь.',
  default: 'Готовый текст.',
  none: 'Не написано: согласия при регистрации не спрашивают.',
};

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

/** Changes one of the texts about the wall. */
export function TextForm({ text: { name, source, markdown }, made: { id, ...made } }: TextFormProps) {
  const preview = id === name ? made : {};
  return (
    <section className={styles.section} aria-label={textNames[name]}>
      <p className={styles.quiet}>{sourceNames[source]}</p>
      {preview['html'] !== undefined && <Preview title={preview['title']!} html={preview['html']} />}
      <Form act="text" id={name} submit="Сохранить" isForText>
        <TextField name="text" label="Текст с разметкой Markdown" value={preview['text'] ?? markdown} check={check} />
        <PreviewButton />
      </Form>
      {source === 'wall' && <Form act="withoutText" id={name} submit={withoutText(name)} variant="plain" />}
    </section>
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
  withoutText: (context) => save(context, null),
};
