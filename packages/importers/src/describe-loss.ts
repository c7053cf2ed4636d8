/** What each loss means, for people. */
const SENTENCES: Readonly<Record<string, string>> = {
  attachment_not_in_file: 'Attached files are not in the export. Their names are kept in the details.',
  attachment_without_content: 'The bundle does not have the content of attached files. They are not imported.',
  attachment_too_large: 'Attached files are larger than files may be here. They are not imported.',
  attachment_damaged: 'The content of attached files is not the one that they had. They are not imported.',
  attachment_author_unknown:
    'The person who attached files is not a member of this project by the email address. The files name a person without an account.',
  attachment_combination_missing:
    'Attached files belong to a combination that the result does not have here. They are at the result as a whole.',
  image_needs_login: 'Pictures can only be loaded by someone who is signed in to the other tool.',
  image_not_in_file: 'Pictures are not in the export.',
  expected_not_split:
    'The expected results could not be given to their steps. They are the expected result of the whole test case.',
  step_text_differs: 'The text of steps differs from that of the source.',
  steps_joined: 'There are more than 500 steps: the rest is joined into the last one.',
  step_without_case: 'Steps belong to a test case that is not in the file. They are not imported.',
  called_case_missing: 'Steps call another test case. One step names it.',
  shared_step_inlined: 'Steps came from shared steps. They are now steps of the test case itself.',
  data_set_as_table: 'Test data is a table in the precondition.',
  folder_depth: 'Folders are deeper than 10 levels. The names of the deeper ones are joined in the tenth.',
  title_empty: 'Test cases have no title. They are called Untitled.',
  title_cut: 'Titles are longer than 255 characters. They are cut; the whole title is in the details.',
  text_cut: 'Texts are longer than 65,536 characters. They are cut.',
  tags_cut: 'Tags are longer than 64 characters, or more than 50. The rest is not imported.',
  duplicate_key: 'Several test cases have the same id. All are imported, and found again by path and title.',
  duplicate_title: 'Several test cases of a folder have the same title and no id. They are found again by their order.',
  no_key: 'Test cases have no id. They are found again by path and title.',
  case_in_several_suites: 'Test cases are in several suites. They are imported once, in the first folder.',
  older_versions: 'Test cases have earlier versions, which the file does not have. The newest one is imported.',
  date_unreadable: 'Dates could not be read. They are kept in the details.',
  number_as_date: 'The spreadsheet turned ids into dates. They were turned back.',
  result_without_case:
    'Results belong to test cases that are neither in the file nor imported before. They are not imported.',
  tested_version_missing:
    'Results were tested against a version that the test case does not have here, or became earlier values. They say nothing of the version.',
  test_without_case: 'Automated tests are linked to test cases that are not here. They come without these links.',
  quarantine_kept: 'Tests are quarantined here already. They stay so as they are here.',
  quarantine_person_unknown: 'People of quarantines are not members of this project. The quarantines do not name them.',
  quarantine_shortened:
    'Quarantines do not say when they end, or would last longer than they may here. They end earlier.',
  result_without_run: 'Results belong to runs that are not imported.',
  run_repeated: 'Several runs have the same id. The first one is imported, with the results of all.',
  shared_step_kept: 'Shared steps are here already, and differ from those of the file. They stay as they are here.',
  shared_step_renamed: 'Other shared steps have the same title here. A number tells them apart.',
  merge_target_missing: 'Test cases were merged into others that are not in the file. They are only archived.',
  duration_out_of_range: 'Durations are less than nothing or longer than can be stored. They are left out.',
  time_in_future: 'Times are later than the import. They are that of the import.',
  instance_field_missing:
    'Fields of the whole instance do not exist here with the same key and type. Their values are kept in the details.',
  earlier_results_cut: 'Test cases have more than 50 earlier results in one run. The oldest ones are not imported.',
  time_missing: 'Runs or results have no time that can be read for sure. They get that of their run, or of the import.',
  older_than_retention: 'Runs are older than runs are kept here. They are not imported, nor are their results.',
  milestone_depth: 'Milestones are deeper than two levels. The deeper ones come to the second.',
  status_of_configurations:
    'The status of results does not follow from those of their configurations. It is the one that follows.',
  status_unknown: 'The status of results is not known. Choose what it becomes; its word stands before the note.',
  tester_unknown:
    'The person who tested is not a member of this project by the email address. The results name a person without an account.',
  author_unknown:
    'The person who created or changed test cases is not a member of this project. The test cases have no author.',
  case_versions_of_existing:
    'Test cases are here already. Earlier versions come only with test cases that the import creates.',
  comment_author_unknown:
    'The person who commented is not a member of this project by the email address. The comments name a person without an account.',
  comment_kept: 'Comments are here already, and differ from those of the file. They stay as they are here.',
  comment_versions_cut: 'Comments have more than 20 earlier texts. The oldest ones are not imported.',
  defects_without_address: 'Defects are ids without an address. They stand at the end of the note.',
  markup_dropped: 'Markup could not be converted. Its text is kept.',
  'not_imported:left_out':
    'Tests and suite errors that were left out of runs cannot be put back here: they are not imported.',
  'not_imported:sources':
    'The run has no such job of CI here. What it has reported is imported as if the first job had reported it.',
  rows_ignored: 'Rows without a test case, such as headings, are not imported.',
  list_refused:
    'The tool did not show lists to the owner of the token, such as the users. What is in them is missing, such as names.',
  list_differs: 'The tool says that lists have another number of entries than it has answered with, twice.',
  file_beside_bundle:
    'Files are beside the bundle. The command that has read the tool attaches them after the import; the bundle alone has only their names.',
  field_in_details: 'Values have no custom field. They are kept in the details.',
  field_as_text: 'Fields have too many different values for a list of options. They are text.',
  value_unknown: 'The priority or type is not known. Choose what it becomes, or keep the default.',
  key_taken: 'The automation key belongs to another test case. It is kept in the details.',
  alias_taken: 'Another test case has the id here already. Results that name it find that one.',
  person_unknown: 'The owner is not a member of this project. The name is kept in the details.',
  conflict_kept: 'The test case was changed here and in the source. What is here stays.',
  absent_kept: 'Test cases that are not in the file were changed here since they were imported. They stay as they are.',
  left_by_undo: 'Someone has worked with it since: undoing the import left it as it is.',
}

/** Returns a sentence that says what a loss means. */
export function describeLoss(code: string): string {
  const kind = /^not_imported:(.+)$/.exec(code)?.[1]
  const list = /^values_of_(.+)$/.exec(kind ?? '')?.[1]
  if (list !== undefined)
    return `Not imported: values of ${list.replaceAll('_', ' ')} that have no place here. The examples name their fields.`
  return SENTENCES[code] ?? (kind === undefined ? code : `Not imported: ${kind.replaceAll('_', ' ')}.`)
}
