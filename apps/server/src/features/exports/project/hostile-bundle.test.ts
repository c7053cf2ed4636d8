import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, countLosses, planFile, summarizePlan } from '@caseward/test-support/import-scenario'
import { fetchExport } from '@caseward/test-support/project-export'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { packBundle } from './pack-bundle.test.helper.ts'

const server = useSharedServer()

describe('the import of a bundle', () => {
  it('stores only what is possible of hostile comments, versions, files, fields, assignments and tests, and counts the rest', async () => {
    const project = await makeProject(server)
    const long = 'x'.repeat(200_000)
    const comment = { kind: 'comment', case: 'A-1', person: 'p', text: 'Hi', at: '2026-01-01T00:00:00Z' }
    const version = { kind: 'case_version', case: 'A-1', via: 'web', changed: ['title'], before: { title: 'Old' } }
    const error = { kind: 'suite_error', run: 'r', location: 'setup', message: 'Broken', at: '2026-01-02' }
    const quarantine = {
      kind: 'quarantine',
      test: 't',
      reason: 'Times out',
      branches: [],
      created_at: new Date().toISOString(),
    }
    const file = { kind: 'attachment', case: 'A-1', name: 'a.txt', sha256: 'a'.repeat(64), byte_count: 3 }
    const records = [
      { kind: 'person', key: 'p', name: 'Nobody' },
      { kind: 'field', subject: 'run', field_key: 'load', name: 'Load', type: 'number', max: 5 },
      { kind: 'case', key: 'A-1', title: 'Pays' },
      { ...version, key: '1', version: 1, next_version: 1e12 },
      { ...version, key: '2', version: -1, next_version: 1 },
      { ...version, key: '3', version: 2, next_version: 3, changed_at: 'never', changed: [5, 'title', '__proto__'] },
      { ...version, key: '4', version: 2, next_version: 3 },
      {
        ...version,
        key: '5',
        version: 1,
        next_version: 2,
        before: { title: '', steps: [7], tags: 'x', estimate: -1, 'fields.lost': 5, __proto__: 1, folder_id: 'gone' },
        changed: ['title', 'steps', 'fields.lost', 'folder_id', 'nothing'],
      },
      { ...version, key: '6', case: 'LOST', version: 1, next_version: 2 },
      { kind: 'run', key: 'r', name: 'Run', created_at: '2026-01-01', fields: { load: 7, lost: [] }, run_key: long },
      {
        kind: 'run',
        key: 's',
        name: 'Run',
        created_at: '2026-01-01',
        run_key: 'k',
        fields: [],
        expected_shards: 1e9,
        shards_done: [5, 'x'.repeat(1000)],
        jobs: [{ job: 'y', expected_shards: -1 }, { job: 'y' }, { job: 5, shards_done: 7 }],
        uploads: [
          {
            number: 1,
            source: 1,
            job: '\u0000\ud800',
            job_url: 'javascript:alert(1)',
            test_count: 1,
            build_attempt: 1e99,
          },
          { number: 1, source: 2 },
          { number: 0, source: 1e99, test_count: -1 },
        ],
      },
      { kind: 'run', key: 't', name: 'Run', created_at: '2026-01-01', run_key: 'k' },
      {
        kind: 'result',
        key: 'x',
        run: 'r',
        case: 'A-1',
        status: 'passed',
        at: '2026-01-02',
        assigned_to: 'p',
        case_version: 9,
      },
      {
        ...comment,
        key: 'a',
        text: `\u0000\ud800${long}`,
        versions: Array.from({ length: 30 }, () => ({ text: long })),
      },
      { ...comment, key: 'a' },
      { ...comment, key: 'b', person: null },
      { ...comment, key: 'c', text: '  ' },
      { ...comment, key: 'd', text: null, deleted_at: '2099-01-01T00:00:00Z', deleted_by: {} },
      { ...comment, key: 'e', case: null, run: 'r', result: 'x', at: {} },
      { ...comment, key: 'f', case: null, run: 'r', result: 'lost' },
      { ...file, key: 'a' },
      { ...file, key: 'b', sha256: '../../etc/passwd', name: '' },
      { ...file, key: 'c', case: null, run: 'r', removed_at: '2026-01-03', step: 1e9, byte_count: -5 },
      { ...file, key: 'd', case: null, run: 'lost', removed_at: '2026-01-03' },
      { kind: 'test', key: 't', name: `pays \u0000${long}`, cases: [{ case: 'A-1', source: 'id' }, { case: 5 }, null] },
      { kind: 'test', key: 'u', name: 'refunds', suite: {}, cases: [{ case: 'A-1', source: 'magic' }] },
      { kind: 'test', key: 'v', name: 'refunds' },
      { kind: 'test', key: 'w' },
      {
        kind: 'test_outcome',
        run: 'r',
        test: 't',
        status: 'failed',
        attempt_count: -5,
        elapsed_ms: 1e99,
        at: 'never',
        attempts: [{ status: 'lost', message: `\u0000${long}`, steps: [{ depth: 1e9, title: 5 }] }, 7],
      },
      { kind: 'test_outcome', run: 'r', test: 't', status: 'passed' },
      { kind: 'test_outcome', run: 'r', test: 'u', status: 'unknown' },
      { kind: 'test_outcome', run: 'lost', test: 'u', status: 'passed' },
      {
        kind: 'test_outcome',
        run: 's',
        test: 't',
        status: 'passed',
        source: 7,
        parts: [
          { source: 1, status: 'passed' },
          { source: 1, status: 'failed' },
          { source: -1, status: 'passed' },
        ],
      },
      { ...error, key: 'a', message: `\u0000${'x'.repeat(20_000)}`, source: 99 },
      { ...error, key: 'a' },
      { ...error, key: 'b', location: ' ', message: 5 },
      { ...error, key: 'c', run: 'lost' },
      { kind: 'left_out', key: 'a', run: 'r', of: 'test', name: 'pays' },
      { ...quarantine, key: 'a', expires_at: '2099-01-01T00:00:00Z', owner: 'p', link: 'javascript:alert(1)' },
      { ...quarantine, key: 'b', expires_at: '2099-01-01T00:00:00Z' },
      { ...quarantine, key: 'c', reason: ' ' },
      { ...quarantine, key: 'd', branches: Array.from({ length: 11 }, (_, index) => `b${index}`) },
      { ...quarantine, key: 'e', test: 'lost' },
      {
        ...quarantine,
        key: 'f',
        created_at: '2026-01-01',
        expires_at: 'never',
        ended_by: 'p',
        end_reason: 'x'.repeat(3000),
      },
    ]
    const bundle = await packBundle(records)
    const done = await actOnImport(server, project, await planFile(server, project, bundle, 'shop.zip'), 'apply')
    expect(done).toMatchObject({ state: 'done', error: null, proof: { is_equal: true } })
    expect(summarizePlan(done)).toEqual(
      expect.arrayContaining([
        'case_version create 2',
        'case_version not_imported 4',
        'comment create 3',
        'comment not_imported 4',
        'attachment create 1',
        'attachment not_imported 3',
        'test create 2',
        'test not_imported 2',
        'test_outcome create 2',
        'test_outcome not_imported 3',
        'suite_error create 1',
        'suite_error not_imported 3',
        'quarantine create 2',
        'quarantine not_imported 4',
      ]),
    )
    expect(countLosses(done)).toMatchObject({
      'not_imported:fields_of_runs': 2,
      'not_imported:keys_of_ci_runs': 2,
      'not_imported:assignments': 1,
      'not_imported:values_of_versions': 1,
      comment_versions_cut: 1,
      tested_version_missing: 1,
      'not_imported:uploads_of_runs': 1,
      'not_imported:parts_of_tests': 1,
      'not_imported:left_out': 1,
      'not_imported:sources': 1,
      'not_imported:links_of_quarantines': 1,
      quarantine_kept: 1,
      quarantine_person_unknown: 2,
      quarantine_shortened: 2,
      'not_imported:links_of_tests': 2,
      attachment_without_content: 2,
    })
    await expectCorrectCounters(server, project.id)
    const { token } = project.admin
    for (const path of ['test-cases/WEB-1', 'test-cases/WEB-1/versions', 'test-cases/WEB-1/comments']) {
      const { status } = await server.request('GET', `/v1/projects/${project.id}/${path}`, { token })
      expect({ path, status }).toEqual({ path, status: 200 })
    }
    for (const number of [1, 2]) {
      const path = `/v1/projects/${project.id}/test-cases/WEB-1/versions/${number}`
      expect((await server.request('GET', path, { token })).status).toBe(200)
    }
    const again = await planFile(server, project, await fetchExport(server, project), 'own.zip')
    expect(again).toMatchObject({ state: 'planned', error: null })
  })
})
