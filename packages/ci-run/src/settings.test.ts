import { describe, expect, it } from 'vitest'

import { readFlag, readText } from './environment.ts'
import {
  formatRunFields,
  type FrameworkShards,
  normalizeServerUrl,
  readRunSettings,
  type RunOptions,
} from './settings.ts'

const keyEnv = { SERVICE_PROJECT_ID: 'p-1', SERVICE_RUN_KEY: 'build-7' }
const gitlab = { CI_PIPELINE_ID: '1064', CI_PIPELINE_IID: '12', CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' }
const read = (
  variables: Record<string, string | undefined>,
  options: RunOptions = {},
  framework: FrameworkShards = {},
) => readRunSettings(options, variables, framework)

describe('the run target in readRunSettings', () => {
  it('is the run id, even if a run key is set', () => {
    expect(read({ ...keyEnv, SERVICE_RUN_ID: 'run-1' }).target).toEqual({ kind: 'run', id: 'run-1' })
  })

  it('has the run key and run name that are set, else those of the CI build', () => {
    const target = { kind: 'key', projectId: 'p-1', metadata: {}, expectedShards: 4, job: '' }
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

  it('has the fields of the run that are set, of which options go before variables', () => {
    const env = { ...keyEnv, SERVICE_RUN_FIELDS: 'build=2.4.0, os=linux, arm,notes=a=b' }
    expect(read(env).target).toMatchObject({ fields: { build: '2.4.0', os: 'linux, arm', notes: 'a=b' } })
    expect(read(env, { runFields: { build: '2.4.1' } }).target).toMatchObject({ fields: { build: '2.4.1' } })
    const lines = { ...keyEnv, SERVICE_RUN_FIELDS: 'os=linux, arm\nbuild=1' }
    expect(read(lines).target).toMatchObject({ fields: { os: 'linux, arm', build: '1' } })
    for (const fields of [{ os: 'linux, arm=no' }, { os: 'a', notes: 'b, c=d' }, {}]) {
      const { target } = read({ ...keyEnv, SERVICE_RUN_FIELDS: formatRunFields(fields) })
      expect(target).toMatchObject(Object.keys(fields).length === 0 ? {} : { fields })
    }
    // What names no field is sent, so that the server can say so.
    expect(read({ ...keyEnv, SERVICE_RUN_FIELDS: 'nightly' }).target).toMatchObject({ fields: { nightly: '' } })
  })

  it('uses the run key as the name outside of CI', () => {
    expect(read(keyEnv).target).toMatchObject({ key: 'build-7', name: 'build-7' })
  })
})

describe('the shard in readRunSettings', () => {
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

describe('readText', () => {
  it.each([
    [' WEB \n', 'WEB'],
    [42, '42'],
    [new URL('https://caseward.example.com'), 'https://caseward.example.com/'],
    ['', null],
    [' ', null],
    [undefined, null],
    // What Azure Pipelines leaves of a secret that a build may not read.
    ['$(SERVICE_TOKEN)', null],
    [{}, null],
  ])('reads %j as %j', (value, text) => {
    expect(readText(value)).toBe(text)
  })
})

describe('readFlag', () => {
  it.each([
    ['1', true],
    ['true', true],
    [' Yes ', true],
    ['on', true],
    ['0', false],
    ['false', false],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %j', (text, flag) => {
    expect(readFlag(text)).toBe(flag)
  })
})

describe('normalizeServerUrl', () => {
  it.each(['https://a.example.com/', 'https://a.example.com/v1', 'https://a.example.com/v1/'])('shortens %s', (url) => {
    expect(normalizeServerUrl(url)).toBe('https://a.example.com')
  })
})
