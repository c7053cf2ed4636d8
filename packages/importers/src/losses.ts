/** What of a source is not here, or not as it was. */
export type LossCode =
  | 'attachment_not_in_file'
  | 'attachment_without_content'
  | 'attachment_too_large'
  | 'attachment_damaged'
  | 'attachment_author_unknown'
  | 'attachment_combination_missing'
  | 'image_needs_login'
  | 'image_not_in_file'
  | 'expected_not_split'
  | 'step_text_differs'
  | 'steps_joined'
  | 'step_without_case'
  | 'called_case_missing'
  | 'shared_step_inlined'
  | 'data_set_as_table'
  | 'folder_depth'
  | 'title_empty'
  | 'title_cut'
  | 'text_cut'
  | 'tags_cut'
  | 'duplicate_key'
  | 'duplicate_title'
  | 'no_key'
  | 'case_in_several_suites'
  | 'older_versions'
  | 'date_unreadable'
  | 'number_as_date'
  | 'result_without_case'
  | 'result_without_run'
  | 'tested_version_missing'
  | 'test_without_case'
  | 'quarantine_kept'
  | 'quarantine_person_unknown'
  | 'quarantine_shortened'
  | 'run_repeated'
  | 'merge_target_missing'
  | 'shared_step_renamed'
  | 'shared_step_kept'
  | 'duration_out_of_range'
  | 'time_in_future'
  | 'instance_field_missing'
  | 'earlier_results_cut'
  | 'time_missing'
  | 'older_than_retention'
  | 'milestone_depth'
  | 'status_unknown'
  | 'status_of_configurations'
  | 'tester_unknown'
  | 'author_unknown'
  | 'case_versions_of_existing'
  | 'comment_author_unknown'
  | 'comment_kept'
  | 'comment_versions_cut'
  | 'defects_without_address'
  | 'field_in_details'
  | 'field_as_text'
  | 'value_unknown'
  | 'key_taken'
  | 'alias_taken'
  | 'person_unknown'
  | 'conflict_kept'
  | 'absent_kept'
  | 'left_by_undo'
  | 'markup_dropped'
  | 'rows_ignored'
  | 'list_refused'
  | 'list_differs'
  | 'file_beside_bundle'
  | `not_imported:${string}`

/** Where something got lost. */
export interface LossPlace {
  readonly key?: string | null
  readonly title?: string
  readonly place?: string
}

export interface Loss {
  readonly code: LossCode
  readonly count: number
  readonly examples: readonly LossPlace[]
}

const MAX_EXAMPLES = 5

/** Counts losses, and keeps the first examples of each kind. */
export class Losses {
  readonly #losses = new Map<LossCode, { count: number; examples: LossPlace[] }>()

  add(code: LossCode, place: LossPlace = {}, count = 1): void {
    const loss = this.#losses.get(code) ?? { count: 0, examples: [] }
    loss.count += count
    if (loss.examples.length < MAX_EXAMPLES) loss.examples.push(place)
    this.#losses.set(code, loss)
  }

  list(): Loss[] {
    return [...this.#losses].map(([code, loss]) => ({ code, ...loss }))
  }
}
