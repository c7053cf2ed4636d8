import { type Encoding, ENCODINGS } from '@caseward/case-files/decode-text'
import { Link, useParams } from 'react-router'

import { paths } from '../../paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Select } from '../../ui/select.tsx'
import { FileDrop } from './file-drop.tsx'
import { FileHelp } from './file-help.tsx'
import styles from './import.module.css'
import { SampleTable } from './sample-table.tsx'
import type { FileSummary } from './table-requests.ts'
import type { ImportFile } from './use-file.ts'

/** Chooses a file and how it is read, and shows its first rows. */
export function FileStep({ file }: { file: ImportFile }) {
  const { projectId = '' } = useParams()
  const { summary } = file
  return (
    <section className={styles.section} aria-labelledby="import-file">
      <h2 id="import-file" className={styles.stepTitle} tabIndex={-1}>
        {summary === null ? 'Choose a file with test cases' : 'Check that the text is readable'}
      </h2>
      <FileDrop fileName={file.file?.name ?? null} isReading={file.isReading} onChoose={file.choose} />
      {file.error !== null && (
        <>
          <Banner tone="error">
            {file.file === null ? '' : `“${file.file.name}” cannot be imported. `}
            {file.error}
          </Banner>
          <p className={styles.muted}>
            Exports of other tools, also as XML or ZIP, have{' '}
            <Link to={paths.imports(projectId)}>an import of their own</Link>.
          </p>
        </>
      )}
      {summary === null && file.error === null && <FileHelp />}
      {summary !== null && (
        <>
          <ReadingChoice file={file} summary={summary} />
          <SampleTable headings={summary.headings} rows={summary.sample} rowCount={summary.rowCount} />
          {summary.blankCount > 0 && (
            <p className={styles.muted}>
              {formatNumberOf(summary.blankCount, 'empty row')} {summary.blankCount === 1 ? 'is' : 'are'} ignored.
            </p>
          )}
        </>
      )}
    </section>
  )
}

const encodingOptions = Object.entries(ENCODINGS).map(([value, label]) => ({ value: value as Encoding, label }))

/** The encoding of a CSV file, or the sheet of an Excel file. */
function ReadingChoice({ file, summary: { source, rowCount } }: { file: ImportFile; summary: FileSummary }) {
  const rows = formatNumberOf(rowCount, 'row')
  if (source.kind === 'excel') {
    return (
      <div className={styles.choice}>
        {source.sheets.length > 1 ? (
          <Select
            label="Sheet"
            value={source.sheet}
            options={source.sheets.map((name) => ({ value: name, label: name }))}
            hint={`${rows} below the headings`}
            onChange={(sheet) => file.readAgain({ sheet })}
          />
        ) : (
          <p className={styles.muted}>{rows} below the headings</p>
        )}
      </div>
    )
  }
  return (
    <>
      <div className={styles.choice}>
        <Select
          label="Encoding"
          value={source.encoding}
          options={encodingOptions}
          hint={source.isCertain ? `${rows} below the headings` : 'A guess: choose another one if letters look wrong.'}
          onChange={(encoding) => file.readAgain({ encoding })}
        />
      </div>
      {source.hasUnreadable && (
        <Banner tone="warning">
          Some characters cannot be read with this encoding; they are shown as �. Choose the encoding in which the file
          was saved.
        </Banner>
      )}
    </>
  )
}
