import type { Import } from '@caseward/client/endpoints'

import type { useImportAction } from './import-queries.ts'

/** What each part of the page of an import gets. */
export interface ImportPartProps {
  projectId: string
  current: Import
  action: ReturnType<typeof useImportAction>
  mayManage: boolean
}
