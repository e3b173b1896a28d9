import { BROWSER_MAP, OS_MAP } from 'bowser';
import { escapeHtml } from '#contract/text-parts.ts';
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
  /** What HTML shows above the paragraphs in place of the name of the wall. */
  title?: string;
  paragraphs: ReadonlyArray<string | CodePart | LinkPart | QuotePart | CitedPart | PostPart>;
  appName: string;
  /** The wall's line about itself. */
  line?: string | undefined;
  /** Of a letter that a person has subscribed to. */
  subscription?: Subscription;
  /** A page as a file. */
  attached?: { filename: string; content: string };
}

interface Subscription {
  /** Names the kind of letters in the header List-Id (RFC 2919). */
  list: string;
  /** Why the person gets the letter. */
  why: string;
  /** A POST to this address ends letters of this kind, without signing in (RFC 8058). */
  unsubscribe: string;
  /** Mail programs show the letters about a discussion as one conversation. */
  discussion?: string;
}

interface LinkPart {
  link: string;
  /** The text of the link; without it the address itself is shown. */
  label?: string;
  isButton?: true;
}

/** The reason of a removal, with the removed post. */
interface QuotePart {
  heading: string;
  quote: string;
  link: string;
}

/** What the next posts answer. */
export interface CitedPart {
  cited: string;
}

/** A post of somebody. */
export interface PostPart {
  author: string;
  note: string;
  text: string;
  link: string;
  /** The words of the link. */
  label: string;
  /** HTML shows the post below another one. */
  isReply?: true;
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

const endLabel = 'Не присылать такие письма';

export function letterText({ paragraphs, appName, line, subscription }: Letter): string {
  const parts = paragraphs.map((part) => {
    if (typeof part === 'string') return part;
    if (isCode(part)) return 'шесть цифр в начале темы и в последней строке этого письма.';
    if ('quote' in part) return `${part.heading}\n${part.quote}\n${part.link}`;
    if ('cited' in part) return part.cited.replace(/^/gm, '> ');
    if ('author' in part)
      return `${part.author}, ${part.note}:\n${part.text && `${part.text}\n`}${part.label}: ${part.link}`;
    return part.label === undefined ? part.link : `${part.label}: ${part.link}`;
  });
  // https://wicg.github.io/sms-one-time-codes/: host and code are the last line of the message.
  const lastLines = paragraphs.filter(isCode).map(({ host, code }) => `@${host} #${code}`);
  const footer = subscription ? [`${subscription.why}\n${endLabel}: ${subscription.unsubscribe}`] : [];
  const signature = `— ${appName}${line === undefined ? '' : `\n${line}`}`;
  return `${[...parts, ...footer, signature, ...lastLines].join('\n\n')}\n`;
}

const plainStyle = 'margin:0 0 16px';
/** Opacity instead of gray, because no gray is readable on light and dark backgrounds alike. */
const quietStyle = 'opacity:.75';
const quoteStyle = 'margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #cc5533';
const citedStyle = `margin:0 0 16px;padding:0 0 0 14px;border-left:3px solid #b8aca2;${quietStyle}`;
const noteStyle = `font-size:13px;${quietStyle}`;
const buttonStyle =
  'display:inline-block;margin:0 0 8px;padding:11px 20px;border-radius:24px;background:#b83a14;color:#fff;font-weight:600;text-decoration:none';
const codeStyle =
  'margin:0 0 20px;font:600 34px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.18em;color:#cc5533';

const withBreaks = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>');

const postHtml = ({ author, note, text, link, label, isReply }: PostPart): string =>
  `<p dir="auto" style="margin:0 0 20px${isReply ? ' 20px' : ''}"><b><bdi>${escapeHtml(author)}</bdi></b> <span style="${noteStyle}">${escapeHtml(note)}</span>${text && `<br>${withBreaks(text)}`}<br><a href="${escapeHtml(link)}">${escapeHtml(label)}</a></p>`;

/**
 * Mail programs support no style sheets and little CSS: one column, inline styles, colours that also suit a dark theme.
 */
export function letterHtml({ subject, title, paragraphs, appName, line, subscription }: Letter): string {
  const parts = paragraphs.map((part) => {
    if (typeof part === 'string') return `<p style="${plainStyle}">${escapeHtml(part)}</p>`;
    if (isCode(part)) return `<p style="${codeStyle}">${escapeHtml(part.code)}</p>`;
    if ('quote' in part) {
      const heading = `<a href="${escapeHtml(part.link)}" style="font-weight:600">${escapeHtml(part.heading)}</a>`;
      return `<p dir="auto" style="${quoteStyle}">${heading}<br>${escapeHtml(part.quote)}</p>`;
    }
    if ('cited' in part) return `<blockquote dir="auto" style="${citedStyle}">${withBreaks(part.cited)}</blockquote>`;
    if ('author' in part) return postHtml(part);
    const { link, label = link, isButton } = part;
    const style = isButton ? ` style="${buttonStyle}"` : '';
    return `<p style="${plainStyle}"><a href="${escapeHtml(link)}"${style}>${escapeHtml(label)}</a></p>`;
  });
  const footer =
    subscription &&
    `<hr style="margin:24px 0 16px;border:0;border-top:1px solid #b8aca2">
<p style="${noteStyle}">${escapeHtml(subscription.why)} <a href="${escapeHtml(subscription.unsubscribe)}" style="color:inherit">${endLabel}</a></p>
`;
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
<p style="margin:0 0 24px"><b style="font-size:18px">${escapeHtml(title ?? appName)}</b>${shownLine}</p>
${parts.join('\n')}
${footer ?? ''}</div>
</body>
</html>
`;
}
