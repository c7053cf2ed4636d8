import { describe, expect, it } from 'vitest'

import { buildJunitXml, notTested, useUploadScenario } from './upload-scenario.ts'

const scenario = useUploadScenario()

describe('caseward upload', () => {
  it(
    'stores a JUnit file, prints the counts, and ends with exit code 0',
    {
      tags: [
        'spec:service/who-reports-from-a-suite-calls-the-ci-upload',
        'spec:service/a-token-and-a-run-id-come-from-service_token',
      ],
    },
    async () => {
      await scenario.write('a.xml', buildJunitXml('WEB-1 logs in', 'WEB-2 pays:failed'))
      expect(await scenario.uploadByProcess(['a.xml'])).toEqual({
        exitCode: 0,
        stdout: 'a.xml: 2 stored (1 passed, 1 failed)\n',
        stderr: '',
      })
      expect(await scenario.readStatuses()).toEqual({ ...notTested, 'WEB-1': 'passed', 'WEB-2': 'failed' })
    },
  )

  it('lists each result that was not stored with its reason, and ends with exit code 2', async () => {
    await scenario.write('a.xml', buildJunitXml('WEB-1', 'WEB-99', 'nameless'))
    const { exitCode, stdout } = await scenario.upload(['a.xml'])
    expect(exitCode).toBe(2)
    expect(stdout).toMatch(/^a\.xml: 1 stored \(1 passed\), 1 not stored\n/)
    expect(stdout).toMatch(/\n {2}- WEB-99 is not in this run/)
    expect(stdout).toContain('\n3 tests: 1 matched, 2 unmatched.\n')
    expect(await scenario.readStatuses()).toEqual({ ...notTested, 'WEB-1': 'passed' })
  })

  it('ends with exit code 1 when no result could be stored', async () => {
    await scenario.write('a.xml', buildJunitXml('WEB-99'))
    const { exitCode, stdout } = await scenario.upload(['a.xml'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringMatching(/^a\.xml: 1 not stored\n/) })
  })

  it('stores nothing in a dry run, and prints what would be stored', async () => {
    await scenario.write('a.xml', buildJunitXml('WEB-1', 'WEB-99'))
    await scenario.write('b.json', '[{"test_case_id": "WEB-2", "status": "blocked"}]')
    const { exitCode, stdout } = await scenario.upload(['--dry-run', 'a.xml', 'b.json'])
    expect(exitCode).toBe(2)
    expect(stdout).toMatch(/^a\.xml: 1 would be stored \(1 passed\), 1 would not be stored\n/)
    expect(stdout).toMatch(/b\.json: 1 would be stored \(1 blocked\)\nWould store 2 results from 2 files/)
    expect(await scenario.readStatuses()).toEqual(notTested)
  })

  it('stores JSON results with their notes and durations', async () => {
    await scenario.write(
      'r.json',
      '{"results": [{"test_case_id": "WEB-3", "status": "retest", "note": "é", "elapsed": 7}]}',
    )
    expect(await scenario.upload(['r.json'])).toMatchObject({ exitCode: 0, stdout: 'r.json: 1 stored (1 retest)\n' })
    const results = await scenario.readResults()
    expect(results.get('WEB-3')).toMatchObject({ status: 'retest', note: 'é', elapsed: 7 })
  })

  it('stores results from standard input', async () => {
    expect(await scenario.uploadByProcess(['-'], { input: buildJunitXml('WEB-1') })).toMatchObject({
      exitCode: 0,
      stdout: 'standard input: 1 stored (1 passed)\n',
    })
  })

  it('keeps the encoding of a file: Latin-1 and UTF-16', async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="WEB-1"><failure message="é"/></testcase></testsuite>`
    await scenario.write('latin1.xml', Buffer.from(text, 'latin1'))
    const utf16 = `\uFEFF${text.replace('ISO-8859-1', 'UTF-16').replace('WEB-1', 'WEB-2')}`
    await scenario.write('utf16.xml', Buffer.from(utf16, 'utf16le'))
    expect(await scenario.upload(['latin1.xml', 'utf16.xml'])).toMatchObject({ exitCode: 0 })
    const results = await scenario.readResults()
    expect(results.get('WEB-1')?.note).toContain('é')
    expect(results.get('WEB-2')?.note).toContain('é')
  })
})

describe('caseward upload --finished-at', () => {
  it.each([
    ['XML', 'late.xml', buildJunitXml('WEB-1'), buildJunitXml('WEB-1:failed')],
    [
      'JSON',
      'late.json',
      '[{"test_case_id": "WEB-1", "status": "passed"}]',
      '[{"test_case_id": "WEB-1", "status": "failed"}]',
    ],
  ])('keeps a newer result on the server, and lists it as not stored: %s', async (_, name, now, late) => {
    await scenario.write(name, now)
    await scenario.upload([name])
    await scenario.write(name, late)
    const { exitCode, stdout } = await scenario.upload([name, '--finished-at', '2026-01-02T03:04:05Z'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/1 not stored\n {2}- WEB-1 has a newer result/)
    expect(await scenario.readStatuses()).toEqual({ ...notTested, 'WEB-1': 'passed' })
  })
})

describe('caseward upload --json', () => {
  it('prints the outcome of every file as one JSON document', async () => {
    await scenario.write('j/a.xml', buildJunitXml('WEB-1', 'WEB-99'))
    await scenario.write('j/b.xml', '<testsuite')
    const { exitCode, stdout, stderr } = await scenario.upload(['j', 'gone.xml', '--json'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' })
    const stats = { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
    const counts = { uploaded_count: 1, failed_count: 1, stats }
    const tests = { total: 2, matched: 1, unmatched: 1, flaky: 0, created: 0, repeated: 0 }
    const errors = [{ test_case_id: 'WEB-99', error: expect.any(String), code: 'not_in_run' }]
    expect(JSON.parse(stdout)).toEqual({
      run_id: scenario.runId,
      dry_run: false,
      ...counts,
      tests,
      files: [
        { name: 'gone.xml', stored: false, reasons: [expect.stringMatching(/^file not found/)] },
        { name: 'j/a.xml', stored: true, test_count: 2 },
        { name: 'j/b.xml', stored: false, reasons: [expect.stringMatching(/^cannot be read/)] },
      ],
      errors,
      files_not_sent: 0,
    })
  })

  it('prints the error that ended the upload with its code', async () => {
    await scenario.write('a.xml', buildJunitXml('WEB-1'))
    const { exitCode, stdout } = await scenario.upload(['a.xml', '--json'], {
      env: { SERVICE_TOKEN: scenario.project.admin.token },
    })
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      uploaded_count: 0,
      files_not_sent: 1,
      error: { message: expect.stringMatching(/Use a CI token/), code: 'ci_token_required' },
    })
  })
})

describe('caseward upload of several files', () => {
  it('uploads the files of a pattern together, shard-2 before shard-10, and the worst of them counts', async () => {
    await scenario.write('many/shard-10.xml', buildJunitXml('WEB-1'))
    await scenario.write('many/shard-2.xml', buildJunitXml('WEB-1:failed', 'WEB-2'))
    await scenario.write('many/other.txt', 'no')
    const { exitCode, stdout } = await scenario.upload(['many/*.xml'])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: [
        'many/shard-2.xml: 2 tests stored',
        'many/shard-10.xml: 1 test stored',
        'Stored 2 results from 2 files (1 passed, 1 failed).',
        '',
      ].join('\n'),
    })
    expect(await scenario.readStatuses()).toEqual({ ...notTested, 'WEB-1': 'failed', 'WEB-2': 'passed' })
  })

  it('stores the other files when some are missing or broken', async () => {
    await scenario.write('dir/broken.xml', '<testsuite>\n  <testcase name="WEB-2"></testsuite>')
    await scenario.write('dir/good.xml', buildJunitXml('WEB-1'))
    await scenario.write('dir/nunit.xml', '<?xml version="1.0"?><test-run id="2"><test-suite/></test-run>')
    const { exitCode, stdout, stderr } = await scenario.upload(['gone.xml', 'dir'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' })
    expect(stdout).toMatch(/gone\.xml: not stored\n {2}- file not found/)
    expect(stdout).toMatch(/dir\/broken\.xml: not stored\n {2}- cannot be read: .*line 2.*column/)
    expect(stdout).toMatch(/dir\/good\.xml: 1 test stored\n/)
    expect(stdout).toMatch(/dir\/nunit\.xml: skipped\. This looks like an NUnit 3 report, not JUnit XML\.\n/)
    expect(stdout).toMatch(/Stored 1 result from 1 file \(1 passed\); not stored: 2 files\.\n$/)
    expect(await scenario.readStatuses()).toEqual({ ...notTested, 'WEB-1': 'passed' })
  })

  it('lists every error in JSON results by its path', async () => {
    await scenario.write('r.json', '[{"test_case_id": "WEB-1", "status": "green"}, {"status": "passed"}]')
    const { exitCode, stdout } = await scenario.upload(['r.json'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/\n {2}- \/results\/0\/status .*\n {2}- \/results\/1/)
  })
})
