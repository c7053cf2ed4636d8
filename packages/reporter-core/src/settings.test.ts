import { describe, expect, it } from 'vitest'

import type { ReporterOptions } from './options.ts'
import { readSettings } from './settings.ts'

const env = { SERVICE_URL: 'https://caseward.example.com', SERVICE_TOKEN: 'cwc_a', SERVICE_RUN_ID: 'run-1' }
const key = {
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

describe('settings', () => {
  it('come from the environment', () => {
    expect(read(env)).toEqual({
      url: 'https://caseward.example.com',
      token: 'cwc_a',
      target: { kind: 'run', id: 'run-1' },
      shard: null,
      strict: false,
      missing: [],
      isDisabled: false,
    })
  })

  it('come from options before the environment', () => {
    const options = { url: 'https://other.example.com', token: 'cwc_b', runId: 'run-2', shard: 'b', strict: false }
    expect(read({ ...env, SERVICE_SHARD: 'a', SERVICE_STRICT: '1' }, options)).toMatchObject({
      url: 'https://other.example.com',
      token: 'cwc_b',
      shard: 'b',
      strict: false,
      target: { id: 'run-2' },
    })
  })

  it('leave it to the environment where an option is empty', () => {
    expect(read(env, { url: '', token: ' ', runId: undefined })).toMatchObject({
      url: env.SERVICE_URL,
      token: 'cwc_a',
      target: { id: 'run-1' },
    })
  })

  it.each([
    ['a slash at the end', 'https://caseward.example.com/'],
    ['the /v1 of the API', 'https://caseward.example.com/v1/'],
    ['white space', '  https://caseward.example.com\n'],
  ])('are read without %s', (_what, url) => {
    expect(read({ ...env, SERVICE_URL: url }).url).toBe('https://caseward.example.com')
  })

  it('may be numbers and addresses in a file that nobody type-checks', () => {
    const options = { url: new URL('https://caseward.example.com'), runId: 42, expectedShards: '4' }
    const settings = read(key, options as unknown as ReporterOptions)
    expect(settings).toMatchObject({ url: 'https://caseward.example.com', target: { kind: 'run', id: '42' } })
  })

  it.each([[{}], [[]], [null], [true], [() => 'x']])(
    'never throw because of an option of another kind: %j',
    (value) => {
      const options = { url: value, token: value, runId: value, shard: value, expectedShards: value }
      expect(read(env, options as unknown as ReporterOptions)).toMatchObject({ url: env.SERVICE_URL, shard: null })
    },
  )
})

describe('the run', () => {
  it('that is given goes before one of a key', () => {
    expect(read({ ...key, SERVICE_RUN_ID: 'run-1' }).target).toEqual({ kind: 'run', id: 'run-1' })
  })

  it('of a key has the name and key that the user says, before those of the build', () => {
    const target = { kind: 'key', projectId: 'p-1', metadata: {}, expectedShards: 4 }
    expect(read({ ...key, ...gitlab, SERVICE_RUN_KEY: '' }).target).toEqual({
      ...target,
      key: 'GitLab 1064',
      name: 'GitLab 12',
    })
    expect(read({ ...key, ...gitlab, SERVICE_RUN_NAME: 'Nightly' }).target).toEqual({
      ...target,
      key: 'build-7',
      name: 'Nightly',
    })
  })

  it('of a key is called by the key outside of every CI system', () => {
    expect(read(key).target).toMatchObject({ key: 'build-7', name: 'build-7' })
  })
})

describe('the shard', () => {
  const framework = { shard: 'framework', expectedShards: 3 }

  it('is the user’s before the framework’s before the CI system’s', () => {
    const shards = [
      read({ ...key, ...gitlab, SERVICE_SHARD: 'variable' }, { shard: 'option' }, framework),
      read({ ...key, ...gitlab, SERVICE_SHARD: 'variable' }, {}, framework),
      read({ ...key, ...gitlab }, {}, framework),
      read({ ...key, ...gitlab }),
      read(key),
    ].map(({ shard }) => shard)
    expect(shards).toEqual(['option', 'variable', 'framework', '2', null])
  })

  it('is one of as many as the user says, then the framework, then the CI system', () => {
    const expected = [
      read({ ...key, ...gitlab, SERVICE_EXPECTED_SHARDS: '6' }, { expectedShards: 7 }, framework),
      read({ ...key, ...gitlab, SERVICE_EXPECTED_SHARDS: '6' }, {}, framework),
      read({ ...key, ...gitlab }, {}, framework),
      read({ ...key, ...gitlab }),
      read(key),
    ].map(({ target }) => (target?.kind === 'key' ? target.expectedShards : undefined))
    expect(expected).toEqual([7, 6, 3, 4, null])
  })

  it.each(['', '0', '-1', '1.5', 'four', '1e9', '1001', 'NaN', ' '])('is not one of %j', (number) => {
    expect(read({ ...key, SERVICE_EXPECTED_SHARDS: number }).target).toMatchObject({ expectedShards: null })
  })

  it('has a name where it is the only one', () => {
    expect(read({ ...key, SERVICE_EXPECTED_SHARDS: '1' }).shard).toBe('1')
  })
})

describe('what is missing', () => {
  it.each([
    [{ SERVICE_URL: '' }, ['SERVICE_URL is not set']],
    [{ SERVICE_TOKEN: '' }, ['SERVICE_TOKEN is not set, or empty as secrets are in forks']],
    [{ SERVICE_TOKEN: '$(SERVICE_TOKEN)' }, ['SERVICE_TOKEN is not set, or empty as secrets are in forks']],
    [{ SERVICE_RUN_ID: ' ' }, ['neither SERVICE_RUN_ID nor SERVICE_PROJECT_ID is set']],
    [
      { SERVICE_RUN_ID: undefined, SERVICE_PROJECT_ID: 'p-1' },
      ['SERVICE_RUN_KEY is not set, and no CI system is known here'],
    ],
    [
      { SERVICE_URL: undefined, SERVICE_RUN_ID: undefined },
      ['SERVICE_URL is not set', 'neither SERVICE_RUN_ID nor SERVICE_PROJECT_ID is set'],
    ],
  ])('is told of: %j', (changed, missing) => {
    expect(read({ ...env, ...changed })).toMatchObject({ missing, isDisabled: false })
  })

  it.each([
    [{}, true],
    [{ SERVICE_URL: env.SERVICE_URL }, true],
    [{ SERVICE_TOKEN: '', SERVICE_RUN_ID: '' }, true],
    [{ SERVICE_TOKEN: 'cwc_a' }, false],
    [{ SERVICE_RUN_ID: 'run-1' }, false],
    [{ SERVICE_PROJECT_ID: 'p-1' }, false],
  ])('is everything only where neither a token nor a place is given: %j', (variables, isDisabled) => {
    expect(read(variables).isDisabled).toBe(isDisabled)
  })
})

describe('strictness', () => {
  it.each([
    ['1', true],
    ['true', true],
    ['Yes', true],
    ['0', false],
    ['false', false],
    ['', false],
  ])('%j is %j', (value, strict) => {
    expect(read({ ...env, SERVICE_STRICT: value }).strict).toBe(strict)
  })
})
