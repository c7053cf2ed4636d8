import type { ProjectListItem } from '@caseward/contract/projects'

import { defineColumns } from '../../platform/database/columns.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'

/** Columns of `projects p`. */
export const projectListItem = defineColumns<ProjectListItem>({
  id: { sql: 'p.id', encode: toPlainJsonString },
  name: { sql: 'p.name', encode: toJsonString },
  prefix: { sql: 'p.prefix', encode: toPlainJsonString },
  test_case_count: { sql: 'p.test_case_count', encode: toRawJson },
  run_count: { sql: 'p.run_count', encode: toRawJson },
  created_at: { sql: 'p.created_at', encode: toJsonTimestamp },
  updated_at: { sql: 'p.updated_at', encode: toJsonTimestamp },
})
