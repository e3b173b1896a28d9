/** A post or a reply of a file, in one form for all kinds of files. */
export interface SourcePost {
  /** Identifies the post within the file. */
  id: string;
  author: SourcePerson;
  /** Unix seconds. */
  at: number;
  text: string;
  /** The id of the post to which it replies. */
  replyTo: string | null;
  likes: readonly SourceLike[];
  /** Kinds of attached media. Media are not imported; a note in brackets in the text replaces them. */
  media: readonly string[];
}

export interface SourcePerson {
  /** Identifies the person within the file. */
  key: string;
  /** Undefined if only the key is known. */
  name: string | undefined;
}

export interface SourceLike extends SourcePerson {
  /** Unix seconds; undefined: the time of the post. */
  at?: number | undefined;
}

/** Why a part of the file is not imported, in the words of the report. */
export type Skipped =
  | 'служебные сообщения'
  | 'не разобрать'
  | 'больше 4 МБ'
  | 'текст длиннее 100 000 знаков'
  | 'без текста'
  | 'дата раньше 1990 года или в будущем'
  | 'номер уже был'
  | 'отвечают друг другу по кругу';

/** `line`: the number of the line, in a file with one post per line. */
export type SourceItem = (SourcePost | { skipped: Skipped }) & { line?: number };

/** The file does not have the expected format. The message is for the operator. */
export class WrongFile extends Error {
  override name = 'WrongFile';
}
