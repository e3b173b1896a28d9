import { withoutNul } from '#contract/schemas.ts';
import type { Schema } from '../../http/openapi.ts';
import { escapeXml } from '../xml.ts';

interface Field {
  /** The path of the field: `.` leads into an object, `[]` into a list. */
  name: string;
  schema: Schema;
  isRequired: boolean;
}

export const code = (text: string): string => `<code>${escapeXml(text)}</code>`;

/** A text of the contract, in which backticks enclose code. */
export const prose = (text: string): string => escapeXml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** The fields of an object and of the objects inside it; empty for a reference to a named schema. */
export function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = prefix + key;
    const inside = schema.type === 'array' && schema.items ? [schema.items, '[].'] : [schema, '.'];
    const [object, step] = inside as [Schema, string];
    const field = { name, schema, isRequired: required.includes(key) };
    return [field, ...fieldsOf(object, name + step)];
  });
}

/** A list of fields, each with its type and meaning. `note` returns the text after the type. */
export function fieldList(fields: readonly Field[], note: (field: Field) => string = optional): string {
  const items = fields.map((field) => {
    const { name, schema } = field;
    const meaning = [schema.description ?? '', rangeOf(schema)].filter(Boolean).map(prose).join(' ');
    return `<dt>${code(name)}</dt><dd>${typeOf(schema)}${note(field)}${meaning && `. ${meaning}`}</dd>`;
  });
  return items.length > 0 ? `<dl>${items.join('')}</dl>` : '';
}

const optional = ({ isRequired }: Field): string => (isRequired ? '' : ', необязательно');

const names: Record<string, string> = {
  string: 'строка',
  integer: 'целое число',
  number: 'число',
  boolean: 'да или нет',
  null: code('null'),
  object: 'объект',
};

function typeOf(schema: Schema): string {
  const { $ref, anyOf, enum: values, items, prefixItems, type } = schema;
  if ($ref !== undefined) return schemaLink($ref.split('/').at(-1)!);
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (values) return oneOf(values.map((value) => code(JSON.stringify(value))));
  if (anyOf) return oneOf(anyOf.map(typeOf));
  if (prefixItems) return `список: ${prefixItems.map(typeOf).join(', ')}`;
  if (type === 'array') return items ? `список: ${typeOf(items)}` : 'список';
  return names[type ?? ''] ?? 'любое значение';
}

export const schemaLink = (name: string): string => `<a href="#${schemaId(name)}">${escapeXml(name)}</a>`;

export const schemaId = (name: string): string => `schema-${name}`;

const oneOf = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} или ${texts.at(-1)}`;

/** Other conditions for a value. */
function rangeOf({ minimum, maximum, maxLength, pattern, description, default: usual }: Schema): string {
  const range = [
    ...(maximum === undefined ? [] : [`от ${minimum ?? 0} до ${maximum}`]),
    ...(maxLength === undefined ? [] : [`до ${maxLength} знаков`]),
    ...(pattern === undefined || pattern === withoutNul || description !== undefined ? [] : [`вид \`${pattern}\``]),
    ...(usual === undefined ? [] : [`по умолчанию \`${JSON.stringify(usual)}\``]),
  ].join(', ');
  return range && `${range[0]!.toUpperCase()}${range.slice(1)}.`;
}
