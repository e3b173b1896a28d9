import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { type Config, senderDomain } from '../config.ts';
import { makeDataFolder } from '../data-folder.ts';
import { codeOf, type Letter, letterHtml, letterText } from './letter.ts';

/** How many mails are sent to the SMTP server at once. */
export const maxConnections = 4;

export interface Transport {
  /** Letters are only written to a folder of this machine. */
  isFolder?: true;
  /** Letters with the same `id` have the same Message-ID, so mail servers drop a letter that they have already received. */
  send(recipient: string, letter: Letter, id?: string): Promise<void>;
  close(): void;
}

/** Sends through the SMTP server or, when none is set, writes mails to the data folder and prints the codes. */
export function openTransport(config: Config, print: (line: string) => void): Transport {
  return config.smtpUrl ? smtpTransport(config.smtpUrl, config) : folderTransport(config, print);
}

const referring = (id: string) => ({ inReplyTo: id, references: id });

/** The recipient is an object because nodemailer splits a string at commas into several recipients. */
const message = ({ mailFrom, publicUrl }: Config, recipient: string, letter: Letter, id?: string) => ({
  from: mailFrom,
  ...(id !== undefined && { messageId: `<${id}@${senderDomain({ mailFrom })}>` }),
  // No letter has this id. Those that refer to the same one are a conversation.
  ...(letter.subscription?.discussion !== undefined &&
    referring(`<discussion-${letter.subscription.discussion}@${senderDomain({ mailFrom })}>`)),
  to: { name: '', address: recipient },
  subject: letter.subject,
  text: letterText(letter),
  html: letterHtml(letter),
  ...(letter.attached && { attachments: [{ ...letter.attached, contentType: 'text/html; charset=utf-8' }] }),
  headers: {
    'Auto-Submitted': 'auto-generated',
    ...(letter.subscription && {
      'List-Id': `<${letter.subscription.list}.${new URL(publicUrl).hostname}>`,
      'List-Unsubscribe': `<${letter.subscription.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  },
});

/** The signed headers: the first ones of nodemailer's default list, and those of letters that people subscribe to. */
const signedHeaders = [
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding',
  'In-Reply-To:References:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Auto-Submitted',
].join(':');

/** Settings of a signature in the name of the sender's domain. */
function signature({ dkim, mailFrom }: Config) {
  if (!dkim) return {};
  const privateKey = dkim.privateKey.export({ type: 'pkcs8', format: 'pem' });
  return {
    dkim: {
      domainName: senderDomain({ mailFrom }),
      keySelector: dkim.selector,
      privateKey,
      headerFieldNames: signedHeaders,
    },
  };
}

function smtpTransport(url: string, config: Config): Transport {
  const smtp = createTransport({
    url,
    ...signature(config),
    pool: true,
    maxConnections,
    connectionTimeout: 3_000,
    greetingTimeout: 3_000,
    socketTimeout: 6_000,
  });
  return {
    async send(recipient, letter, id) {
      await smtp.sendMail(message(config, recipient, letter, id)).catch((error: Error) => {
        throw withReason(error);
      });
    },
    close: () => smtp.close(),
  };
}

/** Gives a message to the error for a host with several addresses, such as localhost: Node leaves its message empty. */
function withReason(error: Error): Error {
  if (error instanceof AggregateError && error.message === '') {
    error.message = error.errors.map(({ message: reason }: Error) => reason).join(', ');
  }
  return error;
}

function folderTransport(config: Config, print: (line: string) => void): Transport {
  const folder = join(config.dataDir, 'mail');
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix', ...signature(config) });
  return {
    isFolder: true,
    async send(recipient, letter, id) {
      const { message: bytes, messageId } = await composer.sendMail(message(config, recipient, letter, id));
      await makeDataFolder(folder);
      await writeFile(
        join(folder, `${Date.now()}-${messageId.replace(/[^\w-]/g, '').slice(0, 24)}.eml`),
        bytes as Buffer,
      );
      if (codeOf(letter) !== undefined) print(`${letter.subject} (${recipient})`);
    },
    close: () => composer.close(),
  };
}
