import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import type { MissingFields } from './missing-fields.ts'

interface MissingFieldsDialogProps {
  runId: string
  missing: MissingFields
  /** Missing for who is no admin. */
  onForce: (() => void) | undefined
  onClose: () => void
}

/** Says which results lack fields that their statuses need, and leads to them. */
export function MissingFieldsDialog({ runId, missing, onForce, onClose }: MissingFieldsDialogProps) {
  const { missing_count: count, missing: first } = missing
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Fields are missing"
      footer={
        <>
          {onForce !== undefined && (
            <Button
              size="form"
              variant="danger"
              onClick={() => {
                onClose()
                onForce()
              }}
            >
              Complete all the same
            </Button>
          )}
          <Button size="form" variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <p>
        The run was not completed: {formatNumberOf(count, 'result')} {count === 1 ? 'lacks' : 'lack'} a field that{' '}
        {count === 1 ? 'its status needs' : 'their statuses need'}.
        {onForce === undefined && ' An admin of the project can complete it all the same.'}
      </p>
      <ul style={{ margin: 0, paddingLeft: 20, overflowWrap: 'anywhere' }}>
        {first.map(({ result_id: id, test_case_id: caseId, test_case_title: title, fields }) => (
          <li key={id}>
            <Link to={paths.execution(runId, { result: id })} onClick={onClose}>
              {caseId === null ? title : `${caseId} ${title}`}
            </Link>
            : {fields.join(', ')}
          </li>
        ))}
      </ul>
      {count > first.length && <p>and {formatNumberOf(count - first.length, 'more result')}</p>}
    </Dialog>
  )
}
