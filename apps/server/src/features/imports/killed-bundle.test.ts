import { makeProject } from '@caseward/test-support/factories'
import { makeFullHistory } from '@caseward/test-support/full-history'
import { startKilledService } from '@caseward/test-support/killed-service'
import { fetchExport, readBundleRecords, withoutOrigin } from '@caseward/test-support/project-export'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('a server that is killed while it applies a bundle', () => {
  it('goes on where it was when it starts again, and has everything once in the end', async () => {
    const project = await makeProject(server)
    const member = await makeMember(server, project.id, 'member')
    await makeFullHistory(server, project, member.token)
    const bundle = await fetchExport(server, project)
    const service = await startKilledService()
    const { call, killWhen, waitForState } = service
    const { path, project: copy } = await service.createImport(bundle, 'shop.zip')
    const { plan } = await waitForState(path, 'planned')
    await call('POST', `${path}/apply`, { plan })
    await killWhen('select from case_versions limit 1')
    await killWhen('select from test_outcomes limit 1')
    await killWhen('select from comments limit 1')
    expect(await waitForState(path, 'done')).toMatchObject({ proof: { is_equal: true } })
    const exported = await (await service.request('GET', `/${copy}/export`)).arrayBuffer()
    // The people of another instance have no account here: who did what is compared elsewhere.
    const compare = async (bytes: Uint8Array) =>
      withoutOrigin(await readBundleRecords(bytes), new Set())
        .map(({ kind, key, name, title, status, text, version, sha256, attempts }) =>
          JSON.stringify({
            kind,
            key: kind === 'person' ? null : key,
            name,
            title,
            status,
            text,
            version,
            sha256,
            attempts,
          }),
        )
        .filter((line) => !line.startsWith('{"kind":"person"'))
        .toSorted((a, b) => (a < b ? -1 : 1))
    expect(await compare(new Uint8Array(exported))).toEqual(await compare(bundle))
    await service.stop()
  }, 240_000)
})
