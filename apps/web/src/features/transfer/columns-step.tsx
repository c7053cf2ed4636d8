import { toCustomFileField } from '@caseward/case-files/custom-columns'
import { COLUMNS } from '@caseward/case-files/file-columns'
import type { FileField } from '@caseward/case-files/test-case-rows'
import { checkChoices } from '@caseward/case-files/to-import-rows'

import { useState } from 'react'

import { Banner } from '../../ui/banner.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './import.module.css'
import type { FileSummary } from './table-requests.ts'
import { labelField } from './transfer-words.ts'
import type { ImportFile } from './use-file.ts'

const NOT_IMPORTED = ''
const NEW_FIELD = 'new'
type Option = { value: FileField | typeof NOT_IMPORTED; label: string }
const builtIn: readonly Option[] = [
  { value: NOT_IMPORTED, label: 'Not imported' },
  ...COLUMNS.flatMap((column) =>
    column === 'steps' ? [column, 'step_action' as const, 'step_expected' as const] : [column],
  ).map((value) => ({ value, label: labelField(value) })),
]

const separators = [
  { value: '/', label: 'Slashes: Checkout/Payment' },
  { value: '>', label: 'Arrows: Checkout > Payment' },
] as const

const MAX_EXAMPLES = 3

const NewFieldDialog = lazyPart(async () => (await import('../fields/new-field-dialog.tsx')).NewFieldDialog, {
  isDialog: true,
})

interface ColumnsStepProps {
  file: ImportFile
  summary: FileSummary
  projectId: string
  /** Whether the user may add fields to the project. */
  mayAddFields: boolean
}

/** Chooses what each column contains. */
export function ColumnsStep({ file, summary, projectId, mayAddFields }: ColumnsStepProps) {
  const [newColumn, setNewColumn] = useState<number | null>(null)
  const fields = file.choices?.fields ?? []
  const custom = (file.choices?.custom?.fields ?? []).map(({ key, name }): Option => ({
    value: toCustomFileField(key),
    label: `Field: ${name}`,
  }))
  const options = [...builtIn, ...custom, ...(mayAddFields ? [{ value: NEW_FIELD, label: 'New field…' } as const] : [])]
  const problem = file.choices === null ? null : checkChoices(file.choices)
  return (
    <section className={styles.section} aria-labelledby="import-columns">
      <h2 id="import-columns" className={styles.stepTitle} tabIndex={-1}>
        Choose what each column contains
      </h2>
      {problem === 'no-title' && (
        <Banner tone="warning">Choose the column with the titles, or with the IDs of existing test cases.</Banner>
      )}
      {problem === 'no-step-action' && (
        <Banner tone="warning">Choose the column with the steps whose expected results are in another column.</Banner>
      )}
      <ul className={styles.columns}>
        {summary.headings.map((heading, index) => {
          const name = heading.trim() === '' ? `Column ${index + 1}` : heading
          return (
            // Headings may be the same.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={styles.column}>
              <div className={styles.columnText}>
                <p className={styles.columnName}>{name}</p>
                <p className={styles.examples}>{listExamples(summary.sample, index)}</p>
              </div>
              <Select
                label={`Content of the column “${name}”`}
                isLabelHidden
                value={fields[index] ?? NOT_IMPORTED}
                options={options}
                onChange={(value) => {
                  if (value === NEW_FIELD) setNewColumn(index)
                  else file.setField(index, value === NOT_IMPORTED ? null : value)
                }}
              />
            </li>
          )
        })}
      </ul>
      {newColumn !== null && (
        <NewFieldDialog
          projectId={projectId}
          name={summary.headings[newColumn] ?? ''}
          values={summary.sample.map((cells) => cells[newColumn] ?? '')}
          onAdded={(key) => file.setField(newColumn, toCustomFileField(key))}
          onClose={() => setNewColumn(null)}
        />
      )}
      {fields.includes('folder') && (
        <div className={styles.choice}>
          <Select
            label="Folders are separated by"
            value={file.choices?.folderSeparator ?? '/'}
            options={separators}
            onChange={file.setSeparator}
          />
        </div>
      )}
      <p className={styles.muted}>
        {fields.includes('id')
          ? 'Rows with an ID update that test case, and only the fields whose columns you import. Rows without one create a test case.'
          : 'Each row creates a test case. To update existing ones, import a column with their IDs.'}{' '}
        {fields.includes('step_action') &&
          'Rows without a title, or with the same one as the row above, are further steps of the same test case.'}
      </p>
    </section>
  )
}

/** The first different values of a column. */
function listExamples(rows: readonly (readonly string[])[], index: number): string {
  const values = new Set(rows.map((cells) => (cells[index] ?? '').trim()).filter((text) => text !== ''))
  if (values.size === 0) return 'Empty in the first rows'
  return [...values]
    .slice(0, MAX_EXAMPLES)
    .map((text) => text.replaceAll(/\s+/g, ' '))
    .join(' · ')
}
