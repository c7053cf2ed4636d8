import { type CustomColumns, getHeading, noCustomColumns, writeFieldValue } from './custom-columns.ts'
import { type Column, COLUMNS, fileColumns, type FileNames, type ListedCase } from './file-columns.ts'

/** A column of a table of test cases. */
export interface CaseTableColumn {
  readonly heading: string
  readonly key: string
  readonly write: (testCase: ListedCase) => string
}

/** A table of test cases, which is written row by row. */
export interface CaseTable {
  readonly columns: readonly CaseTableColumn[]
  readonly headings: string[]
  readonly toRow: (testCase: ListedCase) => string[]
}

/** @param isUsed whether a test case has a value for a column that is left out otherwise */
export function buildCaseTable({
  names,
  custom = noCustomColumns,
  isUsed,
}: {
  readonly names: FileNames
  readonly custom?: CustomColumns
  readonly isUsed: (column: Column) => boolean
}): CaseTable {
  const columns: CaseTableColumn[] = [
    ...COLUMNS.filter((column) => fileColumns[column].isLeftOutIfEmpty !== true || isUsed(column)).map((column) => ({
      heading: column as string,
      key: column as string,
      write: (testCase: ListedCase) => fileColumns[column].write(testCase, names),
    })),
    ...custom.fields.map((field) => ({
      heading: getHeading(field, custom.fields),
      key: field.key,
      write: ({ fields }: ListedCase) => writeFieldValue(field, fields?.[field.key], custom),
    })),
  ]
  return {
    columns,
    headings: columns.map(({ heading }) => heading),
    toRow: (testCase) => columns.map(({ write }) => write(testCase)),
  }
}
