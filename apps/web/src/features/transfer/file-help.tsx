import { COLUMNS } from '@caseward/case-files/file-columns'
import { formatCsv } from '@caseward/case-files/csv'
import Download from 'lucide-react/icons/download'

import { useParams } from 'react-router'

import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { downloadFile } from './download-file.ts'
import styles from './import.module.css'

/** A file to begin with. */
const template = formatCsv([
  COLUMNS,
  [
    '',
    'A customer pays by card',
    'Checkout/Payment',
    'high',
    'functional',
    'A filled basket',
    '1. Go to payment\n=> The form asks for the card\n2. Pay\n=> The order is confirmed',
    'The order is paid',
    'payment, smoke',
    '',
    '',
    '5m',
  ],
])

/** What a file may contain. */
export function FileHelp() {
  const { projectId = '' } = useParams()
  return (
    <div className={styles.help}>
      <ul>
        <li>CSV in any encoding, with commas, semicolons or tabs, and Excel workbooks (.xlsx).</li>
        <li>Headings in the first row. You choose what each column contains; only a title is needed.</li>
        <li>One row for each test case with numbered steps in one cell, or one row for each step.</li>
        <li>Folders as paths, such as Checkout/Payment. Missing folders are created.</li>
        <li>Rows with the ID of a test case update it. An export can be changed and imported again.</li>
        <li>Up to 5,000 test cases. Nothing is stored before you have seen a preview and confirmed it.</li>
      </ul>
      <div className={styles.helpEnd}>
        <Button
          icon={<Download />}
          onClick={() => downloadFile(new Blob(['\uFEFF', template], { type: 'text/csv' }), 'test-cases-template.csv')}
        >
          Download an example
        </Button>
        <ButtonLink variant="quiet" to={paths.imports(projectId)}>
          Import from another tool
        </ButtonLink>
      </div>
    </div>
  )
}
