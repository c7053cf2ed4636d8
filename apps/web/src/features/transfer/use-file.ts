import type { Encoding } from '@caseward/case-files/decode-text'
import type { FileField } from '@caseward/case-files/test-case-rows'
import type { FileChoices } from '@caseward/case-files/to-import-rows'
import type { CustomColumns } from '@caseward/case-files/custom-columns'
import { suggestCustomFields } from '@caseward/case-files/suggest-fields'
import { useEffect, useMemo, useRef, useState } from 'react'

import { FileError } from './file-error.ts'
import { startTableWorker, type TableWorker } from './table-worker.ts'
import type { FileSummary } from './table-requests.ts'

interface ReadOptions {
  readonly encoding?: Encoding | undefined
  readonly sheet?: string | undefined
}

interface FileState {
  readonly file: File | null
  readonly summary: FileSummary | null
  readonly choices: FileChoices | null
  readonly error: string | null
  readonly isReading: boolean
}

const noFile: FileState = { file: null, summary: null, choices: null, error: null, isReading: false }

/** The file of an import, and what the user has chosen for its columns. */
export function useFile(custom: CustomColumns) {
  const [state, setState] = useState(noFile)
  // The fields may arrive after the file.
  const choices = useMemo(
    () => withCustom(state.choices, state.summary, custom),
    [state.choices, state.summary, custom],
  )
  const worker = useRef<TableWorker | null>(null)
  const lastRead = useRef(0)
  useEffect(
    () => () => {
      worker.current?.close()
      worker.current = null
    },
    [],
  )
  const getWorker = () => (worker.current ??= startTableWorker())

  async function read(file: File, options: ReadOptions): Promise<void> {
    lastRead.current += 1
    const number = lastRead.current
    setState((earlier) => ({ ...earlier, file, error: null, isReading: true }))
    const change = (changes: Partial<FileState>) => {
      if (lastRead.current === number) setState((earlier) => ({ ...earlier, ...changes, isReading: false }))
    }
    try {
      const summary = await getWorker().read(file, options)
      change({ summary, choices: suggestChoices(summary) })
    } catch (error) {
      // A worker that could not be loaded is of no more use.
      worker.current?.close()
      worker.current = null
      const message = error instanceof FileError ? error.message : 'The file could not be read. Try again.'
      change({ summary: null, choices: null, error: message })
    }
  }

  return {
    ...state,
    choices,
    choose: (file: File) => void read(file, {}),
    /** Reads the same file in another way. */
    readAgain: (options: ReadOptions) => {
      if (state.file !== null) void read(state.file, options)
    },
    setField(index: number, field: FileField | null): void {
      setState((earlier) => ({ ...earlier, choices: withField({ ...earlier, choices }, index, field) }))
    },
    setSeparator(folderSeparator: '/' | '>'): void {
      setState((earlier) => ({
        ...earlier,
        choices: earlier.choices === null ? null : { ...earlier.choices, folderSeparator },
      }))
    },
    convert: (chosen: FileChoices) => getWorker().convert(chosen),
    clear: () => {
      lastRead.current += 1
      setState(noFile)
    },
  }
}

export type ImportFile = ReturnType<typeof useFile>

function suggestChoices({ suggestedFields: fields, separators }: FileSummary): FileChoices {
  const folderSeparator = separators[fields.indexOf('folder')] ?? '/'
  return { fields, acceptsLooseSteps: true, folderSeparator }
}

/** Suggests columns of custom fields, too, until the user has chosen something. */
function withCustom(
  choices: FileChoices | null,
  summary: FileSummary | null,
  custom: CustomColumns,
): FileChoices | null {
  if (choices === null || summary === null || custom.fields.length === 0) return choices
  const isSuggestion = choices.custom === undefined
  const fields = isSuggestion ? suggestCustomFields(summary.headings, choices.fields, custom.fields) : choices.fields
  return { ...choices, fields, custom }
}

/** A field is in one column only: the column that had it before is left out. */
function withField({ choices, summary }: FileState, index: number, field: FileField | null): FileChoices | null {
  if (choices === null) return null
  const fields = choices.fields.map((earlier, column) =>
    column === index ? field : earlier === field ? null : earlier,
  )
  const folderSeparator = field === 'folder' ? (summary?.separators[index] ?? '/') : (choices.folderSeparator ?? '/')
  return { ...choices, fields, folderSeparator }
}
