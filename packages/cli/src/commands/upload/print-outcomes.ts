import type { Terminal } from '../../terminal.ts'
import { createLineBudget, formatRest } from '../../limit-lines.ts'
import { ERRORS_FILE_HINT } from '../../errors-file.ts'
import { type FileOutcome, formatErrors, formatOutcome, getColor } from './file-outcome.ts'

/** Prints the outcomes of files as they become known, up to 20 lines of each kind. */
export interface OutcomePrinter {
  print(outcome: FileOutcome): void
  /** Prints how many lines were left out. */
  printRest(): void
}

export function createOutcomePrinter({ print, paint }: Terminal, dryRun: boolean): OutcomePrinter {
  const completeFiles = createLineBudget()
  const otherFiles = createLineBudget()
  const errors = createLineBudget()
  return {
    print(outcome) {
      const color = getColor(outcome)
      const files = color === 'green' ? completeFiles : otherFiles
      const details = formatErrors(outcome).map((line) => `  - ${line}`)
      const headline = files.take(formatOutcome(outcome, dryRun).map((line) => paint(color, line)))
      print([...headline, ...errors.take(details)])
    },
    printRest() {
      const fileCount = completeFiles.getRest() + otherFiles.getRest()
      print([
        ...(errors.getRest() > 0 ? [`  ${formatRest(errors.getRest(), ERRORS_FILE_HINT)}`] : []),
        ...(fileCount > 0 ? [`${formatRest(fileCount)} files`] : []),
      ])
    },
  }
}
