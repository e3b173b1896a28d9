/** A post or a reply, as every kind of file gives it. */
export interface SourcePost {
  /** Names it within the file. */
  id: string;
  author: SourcePerson;
  /** Unix seconds. */
  at: number;
  text: string;
  /** The id of what it replies to. */
  replyTo: string | null;
  likes: readonly SourceLike[];
  /** The text says this in brackets, because it cannot come along. */
  media: readonly string[];
}

export interface SourcePerson {
  /** Names the person within the file. */
  key: string;
  /** Undefined where only the key is known. */
  name: string | undefined;
}

export interface SourceLike extends SourcePerson {
  /** Unix seconds; undefined: that of the post. */
  at?: number | undefined;
}

/** Why a part of the file is left out: the words of the report. */
export type Skipped =
  | 'служебные сообщения'
  | 'не разобрать'
  | 'больше 4 МБ'
  | 'текст длиннее 100 000 знаков'
  | 'без текста'
  | 'дата раньше 1990 года или в будущем'
  | 'номер уже был'
  | 'отвечают друг другу по кругу';

/** `line` is its place in a file of lines. */
export type SourceItem = (SourcePost | { skipped: Skipped }) & { line?: number };

/** A file that cannot be read as what it should be. The message is for the operator. */
export class WrongFile extends Error {
  override name = 'WrongFile';
}
