/**
 * SQL of the values of custom fields after `changes`, of which null removes a value; null for none.
 * @param table the alias of the table whose column `fields` has them
 */
export const mergeStoredValues = (changes: string, table = 'c'): string =>
  `nullif(jsonb_strip_nulls(coalesce(${table}.fields, '{}') || ${changes}), '{}')`
