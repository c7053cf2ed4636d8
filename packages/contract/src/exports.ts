import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { FileContent } from './files.ts'
import { problems } from './problem.ts'
import { RunParams } from './results.ts'
import { OneOf, Repeatable } from './schemas.ts'

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The columns of exported results, in their order. */
export const EXPORT_FIELDS = [
  'folder',
  'test_case_id',
  'title',
  'status',
  'note',
  'elapsed',
  'tested_by',
  'tested_at',
  'defects',
  'links',
  'files',
] as const
export type ExportField = (typeof EXPORT_FIELDS)[number]

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
          OneOf(EXPORT_FIELDS, {
            description:
              'A column. `folder`: names of the folders, separated by slashes. `elapsed`: in seconds. `tested_by`: name of the user. `defects` and `links`: addresses of defects and of everything else. `files`: names of attached files.',
          }),
          'Only these columns. Their order stays. By default all.',
          EXPORT_FIELDS.length,
        ),
      ),
    }),
    response: {
      200: { ...FileContent, description: 'The file.' },
      ...problems(400, 401, 403, 404, 422, 429),
    },
  },
} as const satisfies Endpoint
