import { describe, expect, it } from 'vitest'

import type { ReporterOptions } from './options.ts'
import { readSettings } from './settings.ts'

const env = { SERVICE_URL: 'https://caseward.example.com', SERVICE_TOKEN: 'cwc_a', SERVICE_RUN_ID: 'run-1' }
const keyEnv = {
  SERVICE_URL: env.SERVICE_URL,
  SERVICE_TOKEN: 'cwc_a',
  SERVICE_PROJECT_ID: 'p-1',
  SERVICE_RUN_KEY: 'build-7',
}
const gitlab = { CI_PIPELINE_ID: '1064', CI_PIPELINE_IID: '12', CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' }
const read = (
  variables: Record<string, string | undefined>,
  options: ReporterOptions = {},
  defaults: Pick<ReporterOptions, 'shard' | 'expectedShards'> = {},
) => readSettings(options, defaults, variables)

describe('readSettings', () => {
  it('reads the environment', () => {
    expect(read(env)).toEqual({
      url: 'https://caseward.example.com',
      token: 'cwc_a',
      target: { kind: 'run', id: 'run-1' },
      shard: null,
      strict: false,
      createCases: false,
      addToRun: undefined,
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
    const settings = read(keyEnv, options as unknown as ReporterOptions)
    expect(settings).toMatchObject({ url: 'https://caseward.example.com', target: { kind: 'run', id: '42' } })
  })

  it.each([[{}], [[]], [null], [true], [() => 'x']])('ignores options with the value %j', (value) => {
    const options = { url: value, token: value, runId: value, shard: value, expectedShards: value }
    expect(read(env, options as unknown as ReporterOptions)).toMatchObject({ url: env.SERVICE_URL, shard: null })
  })
})

describe('the run target in readSettings', () => {
  it('is the run id, even if a run key is set', () => {
    expect(read({ ...keyEnv, SERVICE_RUN_ID: 'run-1' }).target).toEqual({ kind: 'run', id: 'run-1' })
  })

  it('has the run key and run name that are set, else those of the CI build', () => {
    const target = { kind: 'key', projectId: 'p-1', metadata: {}, expectedShards: 4 }
    expect(read({ ...keyEnv, ...gitlab, SERVICE_RUN_KEY: '' }).target).toEqual({
      ...target,
      key: 'GitLab 1064',
      name: 'GitLab 12',
    })
    expect(read({ ...keyEnv, ...gitlab, SERVICE_RUN_NAME: 'Nightly' }).target).toEqual({
      ...target,
      key: 'build-7',
      name: 'Nightly',
    })
  })

  it('uses the run key as the name outside of CI', () => {
    expect(read(keyEnv).target).toMatchObject({ key: 'build-7', name: 'build-7' })
  })
})

describe('the shard in readSettings', () => {
  const framework = { shard: 'framework', expectedShards: 3 }

  it('comes from the option, else the variable, else the framework, else the CI system', () => {
    const shards = [
      read({ ...keyEnv, ...gitlab, SERVICE_SHARD: 'variable' }, { shard: 'option' }, framework),
      read({ ...keyEnv, ...gitlab, SERVICE_SHARD: 'variable' }, {}, framework),
      read({ ...keyEnv, ...gitlab }, {}, framework),
      read({ ...keyEnv, ...gitlab }),
      read(keyEnv),
    ].map(({ shard }) => shard)
    expect(shards).toEqual(['option', 'variable', 'framework', '2', null])
  })

  it('has a count from the option, else the variable, else the framework, else the CI system', () => {
    const expected = [
      read({ ...keyEnv, ...gitlab, SERVICE_EXPECTED_SHARDS: '6' }, { expectedShards: 7 }, framework),
      read({ ...keyEnv, ...gitlab, SERVICE_EXPECTED_SHARDS: '6' }, {}, framework),
      read({ ...keyEnv, ...gitlab }, {}, framework),
      read({ ...keyEnv, ...gitlab }),
      read(keyEnv),
    ].map(({ target }) => (target?.kind === 'key' ? target.expectedShards : undefined))
    expect(expected).toEqual([7, 6, 3, 4, null])
  })

  it.each(['', '0', '-1', '1.5', 'four', '1e9', '1001', 'NaN', ' '])(
    'has no count when SERVICE_EXPECTED_SHARDS is %j',
    (number) => {
      expect(read({ ...keyEnv, SERVICE_EXPECTED_SHARDS: number }).target).toMatchObject({ expectedShards: null })
    },
  )

  it('is “1” when one shard is expected', () => {
    expect(read({ ...keyEnv, SERVICE_EXPECTED_SHARDS: '1' }).shard).toBe('1')
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
