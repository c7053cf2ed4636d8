import { describe, expect, it } from 'vitest'

import { LIMIT_BYTES, prepareUpload } from './prepare-upload.ts'

const upload = { runId: 'run-1', dryRun: false }
const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)

describe('prepareUpload', () => {
  it.each([
    ['UTF-8', bytes('<testsuite name="é"/>')],
    ['a byte order mark', bytes('\uFEFF<testsuite/>')],
    ['blank lines before the prolog', bytes('\n\n <?xml version="1.0"?><testsuite/>')],
    ['UTF-16', bytes('\uFEFF<testsuite/>', 'utf16le')],
    ['Latin-1', bytes('<?xml version="1.0" encoding="ISO-8859-1"?><testsuite name="é"/>', 'latin1')],
    ['text that is not XML, which the server rejects', bytes('hello')],
  ])('sends XML unchanged, with the run in the query: %s', (_, content) => {
    expect(prepareUpload(content, upload)).toEqual({
      rawBody: { contentType: 'application/xml', body: content },
      query: { run_id: 'run-1' },
    })
  })

  it('marks a dry run in the query of XML and in the body of JSON', () => {
    expect(prepareUpload(bytes('<testsuite/>'), { ...upload, dryRun: true })).toMatchObject({
      query: { run_id: 'run-1', dry_run: true },
    })
    expect(prepareUpload(bytes('[]'), { ...upload, dryRun: true })).toMatchObject({
      rawBody: { body: '{"run_id":"run-1","dry_run":true,"results":[]}' },
    })
  })

  it.each([
    '[{"test_case_id":"WEB-1","status":"passed"}]',
    '\uFEFF\n{"results": [{"test_case_id":"WEB-1","status":"passed"}]}',
  ])('sends JSON with the run in the body: %j', (text) => {
    expect(prepareUpload(bytes(text), upload)).toEqual({
      rawBody: {
        contentType: 'application/json',
        body: '{"run_id":"run-1","dry_run":false,"results":[{"test_case_id":"WEB-1","status":"passed"}]}',
      },
      query: {},
    })
  })

  it('replaces a run id in the JSON by the one of the command line', () => {
    expect(prepareUpload(bytes('{"run_id": "other", "results": []}'), upload)).toMatchObject({
      rawBody: { body: '{"run_id":"run-1","dry_run":false,"results":[]}' },
    })
  })

  it.each([
    ['', /^the file is empty/],
    [' \n\t', /^the file is empty/],
    ['\uFEFF', /^the file is empty/],
    ['{"results": [', /^the file is not valid JSON/],
    ['{"testResults": []}', /^the JSON is neither an array of results nor/],
    ['{"results": {}}', /^the JSON is neither an array of results nor/],
  ])('returns the reason why %j cannot be uploaded', (text, reason) => {
    expect(prepareUpload(bytes(text), upload)).toEqual({ reason: expect.stringMatching(reason) })
  })

  it('returns a reason when JSON is not UTF-8', () => {
    expect(prepareUpload(bytes('[{"note":"é"}]', 'latin1'), upload)).toEqual({
      reason: expect.stringMatching(/^the file is not valid JSON/),
    })
  })

  it('accepts 10 MiB and rejects one byte more', () => {
    expect(prepareUpload(Buffer.alloc(LIMIT_BYTES, '<'), upload)).toHaveProperty('rawBody')
    expect(prepareUpload(Buffer.alloc(LIMIT_BYTES + 1, '<'), upload)).toEqual({
      reason: expect.stringMatching(/^the file has 10\.0 MB, but the limit is 10 MB: /),
    })
  })
})
