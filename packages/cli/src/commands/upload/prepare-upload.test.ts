import { describe, expect, it } from 'vitest'

import { LIMIT_BYTES, prepareUpload } from './prepare-upload.ts'

const upload = { runId: 'run-1', dryRun: false }
const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)

describe('prepare', () => {
  it.each([
    ['UTF-8', bytes('<testsuite name="é"/>')],
    ['a byte order mark', bytes('\uFEFF<testsuite/>')],
    ['blank lines before the prolog', bytes('\n\n <?xml version="1.0"?><testsuite/>')],
    ['UTF-16', bytes('\uFEFF<testsuite/>', 'utf16le')],
    ['Latin-1', bytes('<?xml version="1.0" encoding="ISO-8859-1"?><testsuite name="é"/>', 'latin1')],
    ['anything else, on which the server has the word', bytes('hello')],
  ])('sends XML as it is, with the run in the query: %s', (_, content) => {
    expect(prepareUpload(content, upload)).toEqual({
      rawBody: { contentType: 'application/xml', body: content },
      query: { run_id: 'run-1' },
    })
  })

  it('says that it is a dry run', () => {
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
  ])('sends JSON with the run inside: %j', (text) => {
    expect(prepareUpload(bytes(text), upload)).toEqual({
      rawBody: {
        contentType: 'application/json',
        body: '{"run_id":"run-1","dry_run":false,"results":[{"test_case_id":"WEB-1","status":"passed"}]}',
      },
      query: {},
    })
  })

  it('lets the command line say which run, not the file', () => {
    expect(prepareUpload(bytes('{"run_id": "other", "results": []}'), upload)).toMatchObject({
      rawBody: { body: '{"run_id":"run-1","dry_run":false,"results":[]}' },
    })
  })

  it.each([
    ['', /^it is empty/],
    [' \n\t', /^it is empty/],
    ['\uFEFF', /^it is empty/],
    ['{"results": [', /^it looks like JSON, but is not/],
    ['{"testResults": []}', /^it is JSON, but neither an array of results nor/],
    ['{"results": {}}', /^it is JSON, but neither an array of results nor/],
  ])('has nothing to send of %j', (text, reason) => {
    expect(prepareUpload(bytes(text), upload)).toEqual({ reason: expect.stringMatching(reason) })
  })

  it('has nothing to send of JSON that is not UTF-8', () => {
    expect(prepareUpload(bytes('[{"note":"é"}]', 'latin1'), upload)).toEqual({ reason: expect.stringMatching(/not/) })
  })

  it('takes 10 MiB and not a byte more', () => {
    expect(prepareUpload(Buffer.alloc(LIMIT_BYTES, '<'), upload)).toHaveProperty('rawBody')
    expect(prepareUpload(Buffer.alloc(LIMIT_BYTES + 1, '<'), upload)).toEqual({
      reason: expect.stringMatching(/^it has 10\.0 MB and the limit is 10 MB: /),
    })
  })
})
