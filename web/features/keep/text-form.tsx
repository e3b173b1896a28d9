import { useState } from 'react';
import { type Keep, type KeptText, previewKeepText, putKeepText } from '#contract/keep.ts';
import { wallTextLength } from '#contract/keep-settings.ts';
import { call } from '../../lib/api.ts';
import { showToast } from '../../lib/toasts.ts';
import { trustedHtml } from '../../lib/trusted-html.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { Form } from '../../ui/form.tsx';
import { useRequest } from '../session/use-request.ts';
import wallText from '../wall-texts/wall-text-page.module.css';
import styles from './section.module.css';
import { isFile, sourceNames, textNames, withoutText } from './text-names.ts';

interface TextFormProps {
  text: KeptText;
  onSaved: (keep: Keep) => void;
}

/** One text of the wall: where it is from, and how it is changed. */
export function TextForm({ text, onSaved }: TextFormProps) {
  const { name, source, markdown } = text;
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState(markdown);
  const [preview, setPreview] = useState<{ title: string; html: string | TrustedHTML } | null>(null);
  const { busy, error, send } = useRequest();
  const params = { name };

  const save = (wanted: string | null) =>
    send(async () => {
      const keep = await call(putKeepText, { params, body: { markdown: wanted } });
      showToast('Сохранено');
      setOpen(false);
      onSaved(keep);
    });

  const look = () =>
    send(async () => {
      const { title, html } = await call(previewKeepText, { params, body: { markdown: typed } });
      setPreview({ title, html: trustedHtml(html) });
    });

  const open = () => {
    setTyped(markdown);
    setPreview(null);
    setOpen(!isOpen);
  };
  return (
    <div className={styles.form}>
      <div className={styles.bar}>
        <div>
          <h3 className={styles.name}>{textNames[name]}</h3>
          <p className={styles.quiet}>{sourceNames[source]}</p>
        </div>
        {!isFile(text) && (
          <Button
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Свернуть' : 'Изменить'}: ${textNames[name]}`}
            onClick={open}
          >
            {isOpen ? 'Свернуть' : 'Изменить'}
          </Button>
        )}
      </div>
      {isOpen && (
        <Form className={styles.form} onSubmit={() => save(typed)}>
          <TextArea
            label={`${textNames[name]}: текст с разметкой Markdown`}
            value={typed}
            error={error}
            left={null}
            maxLength={wallTextLength}
            readOnly={busy}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button busy={busy} onClick={() => void look()}>
            Показать, как будет
          </Button>
          {preview && (
            <section aria-label="Как будет" className={wallText.text}>
              <h4>{preview.title}</h4>
              <div dangerouslySetInnerHTML={{ __html: preview.html }} />
            </section>
          )}
          <Button type="submit" variant="primary" disabled={typed.trim() === ''} busy={busy}>
            Сохранить
          </Button>
          {source === 'wall' && (
            <Button variant="plain" busy={busy} onClick={() => void save(null)}>
              {withoutText(name)}
            </Button>
          )}
        </Form>
      )}
      {!isOpen && <FormError>{error}</FormError>}
    </div>
  );
}
