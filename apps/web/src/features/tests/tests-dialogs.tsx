import { CreateCasesDialog } from './create-cases-dialog.tsx'
import { QuarantineDialog } from '../quarantines/quarantine-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { formatPath } from './split-path.ts'
import type { TestsArea, TestsDialog } from './use-tests-area.ts'

/** The dialog that is open. */
export function TestsDialogs({ area, dialog }: { area: TestsArea; dialog: TestsDialog }) {
  if (dialog.kind === 'quarantine') {
    return (
      <QuarantineDialog
        projectId={area.projectId}
        tests={dialog.tests.map((test) => ({ id: test.id, name: formatPath(test) }))}
        onClose={(isDone) => {
          if (isDone) area.setSelection(new Set())
          area.closeDialog()
        }}
      />
    )
  }
  return dialog.kind === 'create' ? (
    <CreateCasesDialog area={area} tests={dialog.tests} />
  ) : (
    <LinkDialog area={area} tests={dialog.tests} />
  )
}
