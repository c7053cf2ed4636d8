import type { CaseRecord } from '../../records.ts'
import type { HeadedTable, ReadContext } from '../format.ts'
import { readBody } from '../table-body.ts'
import { isRead } from './squash-actions.ts'

type DataSet = NonNullable<CaseRecord['data_set']>

/** The column with the name of each row. */
const NAME = 'Data set'

/** Reads the sheets with parameters and with their values, by the path of the test case. */
export async function readDataSets(
  parameters: HeadedTable | undefined,
  values: HeadedTable | undefined,
  { losses }: ReadContext,
): Promise<Map<string, DataSet>> {
  const columns = new Map<string, Set<string>>()
  const rows = new Map<string, Map<string, Map<string, string>>>()
  const addColumn = (owner: string, name: string) => columns.set(owner, (columns.get(owner) ?? new Set()).add(name))
  if (parameters !== undefined) {
    for await (const row of readBody(parameters, losses)) {
      const get = (name: string) => parameters.columns.get(row, name)
      if (!isRead(get('ACTION'))) {
        losses.add('rows_ignored', { place: `PARAMETERS row ${row.row}` })
        continue
      }
      const [owner, name] = [get('TC_OWNER_PATH'), get('TC_PARAM_NAME')]
      if (name !== '') addColumn(owner, name)
      if (get('TC_PARAM_DESCRIPTION') !== '') {
        losses.add('not_imported:descriptions_of_parameters', { title: name, place: owner })
      }
    }
  }
  if (values !== undefined) {
    for await (const row of readBody(values, losses)) {
      const get = (name: string) => values.columns.get(row, name)
      if (!isRead(get('ACTION'))) {
        losses.add('rows_ignored', { place: `DATASETS row ${row.row}` })
        continue
      }
      const [owner, name] = [get('TC_OWNER_PATH'), get('TC_DATASET_PARAM_NAME')]
      addColumn(owner, name)
      const sets = rows.get(owner) ?? new Map<string, Map<string, string>>()
      rows.set(owner, sets)
      const set = sets.get(get('TC_DATASET_NAME')) ?? new Map<string, string>()
      sets.set(get('TC_DATASET_NAME'), set.set(name, get('TC_DATASET_PARAM_VALUE')))
    }
  }
  return new Map(
    [...columns].map(([owner, names]) => {
      const list = [...names]
      const sets = [...(rows.get(owner) ?? [])]
      return [
        owner,
        {
          columns: [NAME, ...list],
          rows: sets.map(([name, set]) => [name, ...list.map((column) => set.get(column) ?? '')]),
        },
      ]
    }),
  )
}
