import { MAX_ACTIVE_FIELDS } from '@caseward/contract/field-values'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidProblem } from '../../platform/http/problems.ts'
import { describeUnknownField } from '../fields/check-values.ts'
import type { ProjectFields } from '../fields/field-definitions.ts'
import { readFields } from '../fields/project-fields.ts'

/*
 * Values of chosen custom fields in compact rows, which PostgreSQL writes by the keys of fields and options: the statement has
 * these as one parameter, so that its text is the same for all projects.
 */

/**
 * Reads the fields that `columns` names, as the parameter of {@link jsonChosenFields}.
 * @throws {Problem} 400 for a key that is not one of the project's fields
 */
export async function readChosenFields(db: Database, { id }: ProjectRef, columns: string): Promise<string> {
  const keys = [...new Set(columns.split(',').map((key) => key.trim()))]
  const fields = await readFields(db, id)
  const refuse = (message: string) => invalidProblem([{ path: '/columns', message }], 'unknown_field')
  if (keys.length > MAX_ACTIVE_FIELDS) throw refuse(`must have at most ${MAX_ACTIVE_FIELDS} keys`)
  const unknown = keys.find((key) => !fields.byKey.has(key))
  if (unknown !== undefined) throw refuse(`contains ${unknown}, which ${describeUnknownField(unknown, fields)}`)
  return toChosenFields(fields, new Set(keys))
}

const toChosenFields = ({ list }: ProjectFields, keys: ReadonlySet<string>): string => {
  const chosen = list.filter(({ key }) => keys.has(key))
  return JSON.stringify(
    chosen.map(({ number, key, type, options, optionsByNumber }, place) => ({
      number: String(number),
      key,
      place,
      is_list: type === 'multi_select',
      options:
        options === null
          ? null
          : Object.fromEntries(
              [...optionsByNumber.values()].map((option) => [option.number, [option.key, option.place]]),
            ),
    })),
  )
}

/** The property `fields` of a row of a test case `c`, if it has values of the chosen fields. */
export const jsonChosenFields = (parameter: string): string => `
  case when c.fields is null then '' else coalesce((
    select ',"fields":{' || string_agg(to_json(chosen.key)::text || ':' || chosen.value, ',' order by chosen.place) || '}'
    from (
      select field.key, field.place, case
        when field.options is null then c.fields -> field.number
        when field.is_list then (
          select jsonb_agg(field.options -> option -> 0 order by (field.options -> option ->> 1)::int)
          from jsonb_array_elements_text(
            -- A field that became a multi_select has single numbers from before.
            case jsonb_typeof(c.fields -> field.number) when 'array' then c.fields -> field.number
              else jsonb_build_array(c.fields -> field.number) end
          ) option
          where field.options ? option
        )
        else field.options -> (c.fields ->> field.number) -> 0
      end::text as value
      from jsonb_to_recordset(${parameter}::jsonb) as field (number text, key text, place int, is_list boolean, options jsonb)
      where c.fields ? field.number
    ) chosen where chosen.value is not null
  ), '') end`
