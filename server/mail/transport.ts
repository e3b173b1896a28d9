import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { makeDataFolder } from '../data-folder.ts';
import { type Letter, letterHtml, letterText } from './letter.ts';

export interface Transport {
  send(recipient: string, letter: Letter): Promise<void>;
  close(): void;
}

/** Sends through the SMTP server or, when none is set, writes mails to the data folder and prints the codes. */
export function openTransport({ smtpUrl, mailFrom, dataDir }: Config, print: (line: string) => void): Transport {
  return smtpUrl ? smtpTransport(smtpUrl, mailFrom) : folderTransport(join(dataDir, 'mail'), mailFrom, print);
}

/** The recipient is an object because nodemailer splits a string at commas into several recipients. */
const message = (from: string, recipient: string, letter: Letter) => ({
  from,
  to: { name: '', address: recipient },
  subject: letter.subject,
  text: letterText(letter),
  html: letterHtml(letter),
  headers: { 'Auto-Submitted': 'auto-generated' },
});

function smtpTransport(url: string, from: string): Transport {
  const smtp = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 3_000,
    greetingTimeout: 3_000,
    socketTimeout: 6_000,
  });
  return {
    async send(recipient, letter) {
      await smtp.sendMail(message(from, recipient, letter));
    },
    close: () => smtp.close(),
  };
}

function folderTransport(folder: string, from: string, print: (line: string) => void): Transport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(recipient, letter) {
      const { message: bytes, messageId } = await composer.sendMail(message(from, recipient, letter));
      await makeDataFolder(folder);
      await writeFile(
        join(folder, `${Date.now()}-${messageId.replace(/[^\w-]/g, '').slice(0, 24)}.eml`),
        bytes as Buffer,
      );
      const code = letter.paragraphs.find((part) => typeof part !== 'string' && 'code' in part);
      if (code) print(`${letter.subject}: ${code.code} (${recipient})`);
    },
    close: () => composer.close(),
  };
}
