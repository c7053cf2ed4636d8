/*
 * What makes test cases the same: a digest whose first half is about the title, the second about the steps. So one column and one
 * index find equal test cases, and those of equal titles. It is computed by PostgreSQL, because a change of the title does not
 * read the steps. Capitals, white space, quotation marks and the period at the end make no difference; all that can change what
 * is tested does, such as the sign or the decimal point of a number.
 */

const IGNORED = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\u00a0',
  '"',
  "''",
  '`',
  '‘',
  '’',
  '“',
  '”',
  '«',
  '»',
  ',',
  ';',
  ':',
  '!',
  '?',
].join('')

const removeIgnored = (text: string): string => `translate(lower(${text}), '${IGNORED}', '')`

/** The half of a digest that is about a title, of an expression of type `text`. 16 hexadecimal digits. */
export const buildTitleHash = (title: string): string => `left(md5(rtrim(${removeIgnored(title)}, '.')), 16)`

/** The half that is about steps, of an expression of type `json`. Their texts have line breaks and quotation marks as `\n` and `\"`. */
const buildStepsHash = (steps: string): string => {
  const text = ['n', 'r', 't', '"'].reduce(
    (sql, escaped) => `replace(${sql}, '\\${escaped}', '')`,
    `replace(${steps}::text, '."', '"')`,
  )
  return `left(md5(${removeIgnored(text)}), 16)`
}

/** The digest of a title and steps, which are expressions of the types `text` and `json`. */
export const buildContentDigest = (title: string, steps: string): string =>
  `(${buildTitleHash(title)} || ${buildStepsHash(steps)})::uuid`
