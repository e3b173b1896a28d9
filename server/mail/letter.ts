import { BROWSER_MAP, OS_MAP } from 'bowser';
import { escapeHtml } from '#contract/text-parts.ts';
import { nameInLetter, shownName } from '#contract/username.ts';
import { hueOf, letterOf } from '#contract/face-tile.ts';
import type { Owner } from '#contract/posts.ts';
import type { Device } from '#contract/sessions.ts';

/** The names that the web client can send: it describes its browser with the same library. */
const browsers = new Set(Object.values(BROWSER_MAP));
/** Longer names come first, because some begin with another one. */
const systems = Object.values(OS_MAP).toSorted((a, b) => b.length - a.length);

/**
 * The device description is untrusted, and the sender of the request chooses the recipient of the mail. To prevent spam
 * through the mails, names come only from these lists, and a version is reduced to its first number.
 */
export function deviceName({ userAgent, userAgentVersion, os }: Device): string {
  const browser = browsers.has(userAgent) ? withVersion(userAgent, userAgentVersion) : '';
  const system = systems.find((name) => os === name || os.startsWith(`${name} `));
  const parts = [browser, system ? withVersion(system, os.slice(system.length + 1)) : ''];
  return parts.filter((part) => part !== '').join(', ') || 'неизвестное устройство';
}

function withVersion(name: string, version: string): string {
  const [number] = /^\d{1,3}(?![\d-])/.exec(version) ?? [];
  return number === undefined ? name : `${name} ${number}`;
}

/** A mail as paragraphs, rendered as plain text and as HTML. */
export interface Letter {
  subject: string;
  paragraphs: ReadonlyArray<string | CodePart | LinkPart | QuotePart>;
  appName: string;
  /** The wall's line about itself. */
  line?: string | undefined;
  /** A POST to this address ends letters of this kind, without signing in (RFC 8058). */
  unsubscribe?: string;
}

interface LinkPart {
  link: string;
  /** The text of the link; without it the address itself is shown. */
  label?: string;
}

/** A quoted post, or the reason of a removal. */
interface QuotePart {
  heading: string;
  quote: string;
  link: string;
  /** With an author, HTML shows the author with a face, and `note`, in place of the heading. */
  author?: Omit<Owner, 'newcomer_until'>;
  note?: string;
}

export interface Wall {
  appName: string;
  line?: string | undefined;
  publicUrl: string;
}

/** The plain text contains the code only in its last line, in a form that phones recognize to fill it in. */
interface CodePart {
  code: string;
  /** Host of the site that the code is for. */
  host: string;
}

const isCode = (part: Letter['paragraphs'][number]): part is CodePart => typeof part !== 'string' && 'code' in part;

export const codeOf = ({ paragraphs }: Letter): string | undefined => paragraphs.find(isCode)?.code;

export function letterText({ paragraphs, appName, line }: Letter): string {
  const parts = paragraphs.map((part) => {
    if (typeof part === 'string') return part;
    if (isCode(part)) return 'шесть цифр в начале темы и в последней строке этого письма.';
    if ('quote' in part) return `${part.heading}\n${part.quote}\n${part.link}`;
    return part.label === undefined ? part.link : `${part.label}: ${part.link}`;
  });
  // https://wicg.github.io/sms-one-time-codes/: host and code are the last line of the message.
  const lastLines = paragraphs.filter(isCode).map(({ host, code }) => `@${host} #${code}`);
  return `${[...parts, `— ${appName}${line === undefined ? '' : `\n${line}`}`, ...lastLines].join('\n\n')}\n`;
}

const plainStyle = 'margin:0 0 16px';
const faceStyle =
  'width:28px;height:28px;border-radius:9px;overflow:hidden;color:#fff;font-weight:600;line-height:28px;text-align:center';
const quoteStyle = 'margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #cc5533';
/** Opacity instead of gray, because no gray is readable on light and dark backgrounds alike. */
const noteStyle = 'font-size:13px;opacity:.75';
const codeStyle =
  'margin:0 0 20px;font:600 34px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.18em;color:#cc5533';

/** The colors of faces in the order of hues: those of `web/ui/face.module.css`, under a white letter and, paler, under an emoji. */
const tiles = {
  letter:
    '#9e4766 #a34948 #a04f27 #955900 #846400 #6b6f00 #49782a #0a7d4d #007e6c #007c87 #00769c #226daa #4e63ae #6c5aa7 #835198 #944b81',
  emoji:
    '#dea5b5 #e1a6a3 #deaa93 #d6af87 #c9b684 #b8bd89 #a4c295 #92c5a6 #85c7b9 #80c5cb #86c1d9 #94bce2 #a6b6e5 #b8b0e1 #c9aad7 #d6a7c7',
};

function faceHtml({ id, face, ...names }: NonNullable<QuotePart['author']>): string {
  const [colors, size] = face === null ? [tiles.letter, 17] : [tiles.emoji, 20];
  const shown = escapeHtml(face ?? letterOf(shownName(names)));
  return `<div aria-hidden="true" style="${faceStyle};background:${colors.split(' ')[hueOf(id)]};font-size:${size}px">${shown}</div>`;
}

/** Uses a table, because mail programs place nothing else side by side. */
function authoredHtml({ quote, link, note = '' }: QuotePart, author: NonNullable<QuotePart['author']>): string {
  const name = `<b style="font-size:16px"><bdi>${escapeHtml(nameInLetter(author))}</bdi></b>`;
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 6px"><tr>
<td valign="top" width="28">${faceHtml(author)}</td>
<td style="padding:0 0 0 10px;line-height:20px"><a href="${escapeHtml(link)}" style="color:inherit">${name}</a><br><span style="${noteStyle}">${escapeHtml(note)}</span></td>
</tr></table>
<p dir="auto" style="margin:0 0 24px">${escapeHtml(quote)}</p>`;
}

/**
 * Mail programs support no style sheets and little CSS: one column, inline styles, colours that also suit a dark theme.
 */
export function letterHtml({ subject, paragraphs, appName, line }: Letter): string {
  const parts = paragraphs.map((part) => {
    if (typeof part === 'string') return `<p style="${plainStyle}">${escapeHtml(part)}</p>`;
    if (isCode(part)) return `<p style="${codeStyle}">${escapeHtml(part.code)}</p>`;
    if ('quote' in part) {
      if (part.author) return authoredHtml(part, part.author);
      const heading = `<a href="${escapeHtml(part.link)}" style="font-weight:600">${escapeHtml(part.heading)}</a>`;
      return `<p dir="auto" style="${quoteStyle}">${heading}<br>${escapeHtml(part.quote)}</p>`;
    }
    const { link, label = link } = part;
    return `<p style="${plainStyle}"><a href="${escapeHtml(link)}">${escapeHtml(label)}</a></p>`;
  });
  const shownLine = line === undefined ? '' : `<br>${escapeHtml(line)}`;
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:32px 20px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<div style="max-width:480px;margin:0 auto;overflow-wrap:anywhere">
<p style="margin:0 0 24px"><b style="font-size:18px">${escapeHtml(appName)}</b>${shownLine}</p>
${parts.join('\n')}
</div>
</body>
</html>
`;
}
