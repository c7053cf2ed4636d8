import type { TextRow } from './fast-reads/text-rows.ts'

/*
 * The fields of a response, declared once: each with its SQL expression and its encoder. The select list and the JSON
 * follow from that; `reads.ts` runs the queries. Rows stay the text that PostgreSQL sends, because decoding values only
 * to encode them again would take longer than the rest of a request.
 *
 * A response schema serializes the other responses: those derived in JavaScript (milestones), short ones (folders,
 * tokens), and the responses to writes.
 */

/**
 * A field of a response.
 * @typeParam Context what the encoder needs besides the value, such as the project whose prefix is part of an id
 */
export interface Column<Context = void> {
  readonly sql: string
  /** Converts the value's text to JSON. Not called for null. */
  readonly encode: (text: string, context: Context) => string
  /** Whether the field is left out if it is null. Not for the first one. */
  readonly isOptional?: true
}

/** A column for each field of a response; the compiler reports a missing or unknown one. */
export type ColumnsOf<Item, Context = void> = { readonly [Field in keyof Item]-?: Column<Context> }

export interface Columns<Context = void> {
  /** For `select`. */
  readonly selectList: string
  /** The same columns as one array of text, for connections that decode all other types. */
  readonly textArray: string
  /** Converts a row to a JSON object. Ignores what the row has after these columns. */
  readonly toJson: (row: TextRow, context: Context) => string
}

export function defineColumns<Item extends object, Context = void>(
  columns: ColumnsOf<Item, Context>,
): Columns<Context> {
  const entries = Object.entries<Column<Context>>(columns)
  const fields = entries.map(([name, { encode, isOptional }], index) => {
    const key = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
    return { key, encode, ifNull: isOptional === true ? '' : `${key}null` }
  })
  return {
    selectList: entries.map(([, { sql }]) => sql).join(', '),
    textArray: `array[${entries.map(([, { sql }]) => `(${sql})::text`).join(', ')}]`,
    toJson: (row, context) => {
      // Runs for every row of a response: `fields.entries()` or `map` would take a tenth longer.
      let json = ''
      let index = 0
      for (const { key, encode, ifNull } of fields) {
        const text = row[index] ?? null
        json += text === null ? ifNull : key + encode(text, context)
        index += 1
      }
      return `${json}}`
    },
  }
}
