import { describe, expect, it } from 'vitest'

import type { ReporterOptions } from './options.ts'
import { readSettings } from './settings.ts'

const env = { SERVICE_URL: 'https://caseward.example.com', SERVICE_TOKEN: 'cwc_a', SERVICE_RUN_ID: 'run-1' }
const read = (variables: Record<string, string | undefined>, options: ReporterOptions = {}) =>
  readSettings(options, {}, variables)

describe('readSettings', () => {
  it('reads the environment', () => {
    expect(read(env)).toEqual({
      url: 'https://caseward.example.com',
      token: 'cwc_a',
      target: { kind: 'run', id: 'run-1' },
      shard: null,
      source: expect.objectContaining({ job: '', buildAttempt: null }),
      strict: false,
      createCases: false,
      addToRun: undefined,
      attachments: 'failed',
      attachmentsTimeoutMs: 60_000,
      spoolLimitBytes: 1_073_741_824,
      steps: 'failed',
      invalid: [],
      missing: [],
      isDisabled: false,
    })
  })

  it('prefers options to the environment', () => {
    const options = { url: 'https://other.example.com', token: 'cwc_b', runId: 'run-2', shard: 'b', strict: false }
    expect(read({ ...env, SERVICE_SHARD: 'a', SERVICE_STRICT: '1' }, options)).toMatchObject({
      url: 'https://other.example.com',
      token: 'cwc_b',
      shard: 'b',
      strict: false,
      target: { id: 'run-2' },
    })
  })

  it('reads the environment when an option is empty', () => {
    expect(read(env, { url: '', token: ' ', runId: undefined })).toMatchObject({
      url: env.SERVICE_URL,
      token: 'cwc_a',
      target: { id: 'run-1' },
    })
  })

  it.each([
    ['a trailing slash', 'https://caseward.example.com/'],
    ['the /v1 of the API', 'https://caseward.example.com/v1/'],
    ['white space', '  https://caseward.example.com\n'],
  ])('removes %s from the URL', (_, url) => {
    expect(read({ ...env, SERVICE_URL: url }).url).toBe('https://caseward.example.com')
  })

  it('accepts numbers and URL objects as options', () => {
    const options = { url: new URL('https://caseward.example.com'), runId: 42, expectedShards: '4' }
    const settings = read({}, options as unknown as ReporterOptions)
    expect(settings).toMatchObject({ url: 'https://caseward.example.com', target: { kind: 'run', id: '42' } })
  })

  it.each([[{}], [[]], [null], [true], [() => 'x']])('ignores options with the value %j', (value) => {
    const options = { url: value, token: value, runId: value, shard: value, expectedShards: value }
    expect(read(env, options as unknown as ReporterOptions)).toMatchObject({ url: env.SERVICE_URL, shard: null })
  })
})

describe('the missing settings in readSettings', () => {
  it.each([
    [{ SERVICE_URL: '' }, ['SERVICE_URL is not set']],
    [{ SERVICE_TOKEN: '' }, ['SERVICE_TOKEN is not set or empty (secrets are not available in forks)']],
    [{ SERVICE_TOKEN: '$(SERVICE_TOKEN)' }, ['SERVICE_TOKEN is not set or empty (secrets are not available in forks)']],
    [{ SERVICE_RUN_ID: ' ' }, ['neither SERVICE_RUN_ID nor SERVICE_PROJECT_ID is set']],
    [
      { SERVICE_RUN_ID: undefined, SERVICE_PROJECT_ID: 'p-1' },
      ['SERVICE_RUN_KEY is not set, and no CI system was detected'],
    ],
    [
      { SERVICE_URL: undefined, SERVICE_RUN_ID: undefined },
      ['SERVICE_URL is not set', 'neither SERVICE_RUN_ID nor SERVICE_PROJECT_ID is set'],
    ],
  ])('are listed for %j', (changes, missing) => {
    expect(read({ ...env, ...changes })).toMatchObject({ missing, isDisabled: false })
  })

  it.each([
    [{}, true],
    [{ SERVICE_URL: env.SERVICE_URL }, true],
    [{ SERVICE_TOKEN: '', SERVICE_RUN_ID: '' }, true],
    [{ SERVICE_TOKEN: 'cwc_a' }, false],
    [{ SERVICE_RUN_ID: 'run-1' }, false],
    [{ SERVICE_PROJECT_ID: 'p-1' }, false],
  ])('disable the reporter only without a token, a run and a project: %j → %j', (variables, isDisabled) => {
    expect(read(variables).isDisabled).toBe(isDisabled)
  })
})

describe('strict in readSettings', () => {
  it.each([
    ['1', true],
    ['true', true],
    ['Yes', true],
    ['0', false],
    ['false', false],
    ['', false],
  ])('for SERVICE_STRICT=%s is %j', (value, strict) => {
    expect(read({ ...env, SERVICE_STRICT: value }).strict).toBe(strict)
  })
})
