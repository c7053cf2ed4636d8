import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { copyInstallation } from '../reporters/installations.ts'
import { runCommand } from './run-command.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const fixture = fileURLToPath(new URL('../reporters/fixtures/verdaccio-6', import.meta.url))

/** A registry on this machine, with its packages in a directory of its own. */
export interface LocalRegistry {
  readonly url: string
  /** The environment in which npm uses it, and may publish to it. */
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Starts Verdaccio. It gets the packages of others from the registry that npm uses on this machine. */
export async function startLocalRegistry(): Promise<LocalRegistry> {
  const directory = await mkdtemp(join(tmpdir(), 'caseward-registry-'))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/`
  const { stdout: upstream } = await runCommand('npm', ['config', 'get', 'registry'], { cwd: root })
  const config = {
    storage: join(directory, 'storage'),
    listen: `127.0.0.1:${port}`,
    web: { enable: false },
    auth: { htpasswd: { file: join(directory, 'htpasswd') } },
    uplinks: { upstream: { url: upstream.trim(), timeout: '30s' } },
    packages: {
      '@caseward/*': { access: '$all', publish: '$all' },
      caseward: { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    log: { type: 'stdout', format: 'json', level: 'error' },
  }
  // JSON is YAML as well.
  await writeFile(join(directory, 'config.yaml'), JSON.stringify(config))
  await copyInstallation('verdaccio-6', fixture, directory)
  const verdaccio = join(directory, 'node_modules/verdaccio/bin/verdaccio')
  const child = spawn(process.execPath, [verdaccio, '--config', join(directory, 'config.yaml')], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await waitUntilReady(url)
  return {
    url,
    env: { npm_config_registry: url, [`npm_config_//127.0.0.1:${port}/:_authToken`]: 'local' },
    async stop() {
      child.kill()
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const isReady = await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The registry did not start at ${url}`)
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port is free.')
  return address.port
}
