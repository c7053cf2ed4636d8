/** Why a file cannot be imported. */
export type ProblemCode =
  | 'empty_file'
  | 'unknown_format'
  | 'unreadable_file'
  | 'no_cases'
  | 'no_table'
  | 'unknown_project'
  | 'is_results_file'
  | 'results_without_ids'
  | 'legacy_excel'
  | 'encrypted'
  | 'file_too_large'
  | 'zip_too_large'
  | 'too_many_records'

/** The only error that the content of a file can cause. `message` is one or more sentences for the user, with the place. */
export class ImportProblem extends Error {
  override readonly name = 'ImportProblem'
  readonly code: ProblemCode

  constructor(code: ProblemCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
