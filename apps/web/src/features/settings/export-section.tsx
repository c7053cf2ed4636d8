import { useState } from 'react'

import { download } from '../../download.ts'
import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { Select, type SelectOption } from '../../ui/select.tsx'

const FORMATS = [
  { value: 'bundle', label: 'Bundle: everything, with files' },
  { value: 'json', label: 'JSON: everything, without files' },
  { value: 'xlsx', label: 'Excel: test cases' },
  { value: 'csv', label: 'CSV: test cases' },
  { value: 'testrail-csv', label: 'CSV as TestRail writes it: test cases' },
  { value: 'gherkin', label: 'Gherkin: test cases as features' },
] as const satisfies readonly SelectOption<string>[]
type Format = (typeof FORMATS)[number]['value']

const HINT =
  'As the project is at this moment, with archived test cases. A bundle can be imported into another Caseward, with the numbers of the test cases.'

/** Downloads all of the project. */
export function ExportSection({ projectId }: { projectId: string }) {
  const [format, setFormat] = useState<Format>('bundle')
  return (
    <section className={styles.form} aria-label="Export">
      <h2>Export</h2>
      <Select<Format> label="Format" hint={HINT} value={format} options={FORMATS} onChange={setFormat} />
      <div className={styles.buttons}>
        <Button
          size="form"
          onClick={() => download(`/v1/projects/${encodeURIComponent(projectId)}/export?format=${format}`)}
        >
          Export the project
        </Button>
      </div>
    </section>
  )
}
