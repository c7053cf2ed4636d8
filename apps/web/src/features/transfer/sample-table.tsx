import { formatWholeNumber } from '../../ui/format-count.ts'
import styles from './import.module.css'

interface SampleTableProps {
  headings: readonly string[]
  rows: readonly (readonly string[])[]
  /** The number of all rows. */
  rowCount: number
}

/** The first rows of a file as they are read. */
export const SampleTable = ({ headings, rows, rowCount }: SampleTableProps) => (
  <>
    {/* It scrolls sideways, which the keyboard can do only with the focus. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <div className={styles.sample} role="region" aria-label="First rows of the file" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {headings.map((heading, index) => (
              // Headings may be the same.
              // oxlint-disable-next-line react/no-array-index-key
              <th key={index} scope="col">
                {heading === '' ? `Column ${index + 1}` : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={row}>
              {headings.map((_, index) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={index}>{cells[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {rowCount > rows.length && (
      <p className={styles.muted}>
        The first {rows.length} of {formatWholeNumber(rowCount)} rows.
      </p>
    )}
  </>
)
