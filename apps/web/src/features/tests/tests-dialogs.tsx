import { CreateCasesDialog } from './create-cases-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import type { TestsArea, TestsDialog } from './use-tests-area.ts'

/** The dialog that is open. */
export const TestsDialogs = ({ area, dialog }: { area: TestsArea; dialog: TestsDialog }) =>
  dialog.kind === 'create' ? (
    <CreateCasesDialog area={area} tests={dialog.tests} />
  ) : (
    <LinkDialog area={area} tests={dialog.tests} />
  )
