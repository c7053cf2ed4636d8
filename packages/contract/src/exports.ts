import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { FileContent } from './files.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { ProjectParams } from './projects.ts'
import { OneOf, Repeatable } from './schemas.ts'
import { testCaseFilters } from './test-cases.ts'

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The columns of exported results, in their order. */
export const EXPORT_FIELDS = [
  'folder',
  'test_case_id',
  'title',
  'status',
  'combinations',
  'note',
  'elapsed',
  'tested_by',
  'tested_at',
  'defects',
  'links',
  'files',
] as const
export type ExportField = (typeof EXPORT_FIELDS)[number]
/** Also the custom fields of results, each a column of its own. Reports that are shared do not have them. */
const EXPORT_CHOICES = [...EXPORT_FIELDS, 'custom_fields'] as const

/** The most rows of an Excel file, which is written in memory. */
export const MAX_XLSX_ROWS = 10_000

export const ExportFormatQuery = Type.Optional(
  OneOf(EXPORT_FORMATS, {
    description: `\`csv\` for any number of results, or \`xlsx\`, an Excel file, for up to ${MAX_XLSX_ROWS.toLocaleString('en')}.`,
    default: 'csv',
  }),
)

export const exportResults = {
  method: 'GET',
  url: '/v1/runs/:run_id/export',
  config: { permission: 'project:view', rateLimit: 'other', sendsFile: true },
  schema: {
    operationId: 'exportResults',
    tags: ['Results'],
    summary: 'Export the results of a run',
    description: `Returns a file with one row for each result. CSV follows RFC 4180, begins with a byte order mark, and has an apostrophe before texts that a spreadsheet would run as a formula. Several links or file names in a cell are in lines of their own. Excel files are written one at a time, with up to ${MAX_XLSX_ROWS.toLocaleString('en')} results: a larger run gets 422 \`too_many_rows\`.`,
    params: RunParams,
    querystring: Type.Object({
      format: ExportFormatQuery,
      fields: Type.Optional(
        Repeatable(
          OneOf(EXPORT_CHOICES, {
            description:
              'A column. `folder`: names of the folders, separated by slashes. `elapsed`: in seconds. `tested_by`: name of the user. `defects` and `links`: addresses of defects and of everything else. `files`: names of attached files. `combinations`: one line for each configuration, with its status and the beginning of its note. `custom_fields`: a column for each custom field of results that is in use, after the others.',
          }),
          'Only these columns. Their order stays. By default all; `combinations` only for runs with configurations.',
          EXPORT_CHOICES.length,
        ),
      ),
    }),
    response: {
      200: { ...FileContent, description: 'The file.' },
      ...problems(400, 401, 403, 404, 422, 429),
    },
  },
} as const satisfies Endpoint

export const PROJECT_EXPORT_FORMATS = ['bundle', 'json', 'csv', 'xlsx', 'testrail-csv', 'gherkin'] as const
export type ProjectExportFormat = (typeof PROJECT_EXPORT_FORMATS)[number]

export const EXPORT_PARTS = ['cases', 'runs', 'files'] as const
export type ExportPart = (typeof EXPORT_PARTS)[number]

export const exportProject = {
  method: 'GET',
  url: '/v1/projects/:project_id/export',
  config: { permission: 'project:view', rateLimit: 'other', sendsFile: true, hasFieldFilters: true },
  schema: {
    operationId: 'exportProject',
    tags: ['Projects'],
    summary: 'Export a project',
    description: `Returns what the project contained at one moment, as a file. \`bundle\` and \`json\` are complete: fields, people, folders, shared steps, test cases with their earlier versions and comments, milestones, configurations, runs, results, automated tests with their outcomes, and attached files. Email addresses of people are only in those that admins export. A bundle that is imported into an empty project gives an equal one, with other ids: results of deleted test cases, owners and authors of test cases who are no members there, and files whose content is lost are missing, runs say in their metadata where they are from, and people without an account are named. What CI sent besides outcomes, such as suite errors and the parts of jobs, and what follows from outcomes, such as verdicts, is in no export. The other formats have test cases. Filters are those of the list of test cases; with one, earlier versions, comments and results are those of the test cases that match. Archived test cases are exported, too, unless \`archived=false\`. Two exports run at a time: others wait, up to 20 seconds. Text that a spreadsheet would run as a formula has an apostrophe before it in \`csv\` and \`xlsx\`.`,
    params: ProjectParams,
    querystring: Type.Object({
      format: Type.Optional(
        OneOf(PROJECT_EXPORT_FORMATS, {
          description: `Format of the file. \`bundle\`: a ZIP file with records and files, for imports. \`json\`: the records as one document. \`csv\` and \`xlsx\` (up to ${MAX_XLSX_ROWS.toLocaleString('en')} rows): test cases, with the columns that imports read. \`testrail-csv\`: test cases as TestRail exports them, for other tools. \`gherkin\`: a ZIP file with a feature for each folder.`,
          default: 'bundle',
        }),
      ),
      include: Type.Optional(
        Repeatable(
          OneOf(EXPORT_PARTS, {
            description:
              'A part: `cases`, `runs` (with milestones, configurations and results), or `files`, the contents of attached files, which only a bundle has.',
          }),
          'Only these parts of a `bundle` or `json`; by default all. Test cases are always there.',
          EXPORT_PARTS.length,
        ),
      ),
      rows: Type.Optional(
        OneOf(['cases', 'steps'], {
          description: 'What a row of a table is: a test case, or a step of one.',
        }),
      ),
      ...testCaseFilters,
      archived: Type.Optional(
        OneOf(['any', 'false', 'true'], {
          description:
            'Export archived test cases, too (`any`, the default), none of them (`false`) or only these (`true`).',
          default: 'any',
        }),
      ),
    }),
    response: {
      200: { ...FileContent, description: 'The file.' },
      ...problems(400, 401, 403, 404, 422, 429),
    },
  },
} as const satisfies Endpoint
