import { useId } from 'react';
import type { ChosenWord } from '#contract/words.ts';
import { limits } from '#contract/limits.ts';
import { Field } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { act, type Act, formProblem } from '../../forms/page-module.ts';
import list from '../../ui/list-page.module.css';
import styles from './chosen-words.module.css';

type Kind = ChosenWord['kind'];

const texts = {
  follow: {
    about: 'О новых записях и ответах с ними приходят уведомления.',
    add: 'Следить за словом',
    remove: 'Не следить',
  },
  hide: {
    about: 'Записей с ними нет в списках, в обсуждениях от таких ответов остаётся строка, которую можно открыть.',
    add: 'Не показывать слово',
    remove: 'Показывать',
  },
} as const;

interface ChosenWordsProps {
  words: readonly ChosenWord[];
  kind: Kind;
  /** The word that the field has at first. */
  proposed?: string;
}

/** The words that the person follows or hides, and the field that adds one. Its page has the acts of `wordActs`. */
export function ChosenWords({ words, kind, proposed = '' }: ChosenWordsProps) {
  const id = useId();
  const chosen = words.filter((word) => word.kind === kind);
  const { about, add, remove } = texts[kind];
  return (
    <>
      <p className={list.none}>{about} Слово находится в любой форме. Этот список видите только вы.</p>
      <ul className={styles.words}>
        {chosen.map(({ word }, i) => (
          <li key={word} className={styles.word}>
            <bdi id={`${id}${i}`}>{word}</bdi>
            <Form act="removeWord" id={word} submit={remove} variant="plain" describedBy={`${id}${i}`} isInline />
          </li>
        ))}
      </ul>
      {chosen.length >= limits.words ? (
        <p className={list.none}>Слов уже {limits.words}: чтобы добавить ещё одно, уберите какое-нибудь из них.</p>
      ) : (
        <div className={styles.adding}>
          <Form act="addWord" submit={add} errorAt="word" variant="quiet">
            <Field
              name="word"
              label="Слово или #тег"
              value={chosen.some(({ word }) => word === proposed.toLowerCase()) ? '' : proposed}
              check={(word) => ({ isGood: word.trim() !== '' })}
              maxLength={2 * limits.wordLength}
              autoComplete="off"
            />
          </Form>
        </div>
      )}
    </>
  );
}

/** The acts of a page with `ChosenWords`. */
export const wordActs = (kind: Kind): Record<string, Act> => ({
  addWord: act(
    kind === 'follow' ? 'Слово добавлено: о новом с ним придёт уведомление' : 'Записи со словом не показываются',
    ({ call }, { word = '' }) => {
      const typed = word.trim();
      if (typed === '') throw formProblem('Введите слово.');
      return call('PUT /users/current/words/{word}', { params: { word: typed }, body: { kind } });
    },
  ),
  removeWord: act('Слово убрано', ({ call }, { id = '' }) =>
    call('DELETE /users/current/words/{word}', { params: { word: id } }),
  ),
});
