// Builds the container image's files by the steps of the Dockerfile, and runs the service from them as a container would:
// as the image's user, without capabilities, on a read-only root. Requires root on Linux, and no container engine. The base
// image is replaced by the programs of this machine.
//
//   npm run test:image [-- --keep]     with --keep, the files stay in the directory that is printed
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { buildStages, createVolume, readDockerignore } from './image/build-stages.mjs'
import { checkFiles, checkPackages, listFiles } from './image/check-files.mjs'
import { findObstacle, startContainer } from './image/namespaces.mjs'
import { readDockerfile } from './image/read-dockerfile.mjs'

const context = fileURLToPath(new URL('..', import.meta.url))
/** Docker's own grace period, in which `docker stop` expects an idle container to end. */
const STOP_SECONDS = 10
const token = randomBytes(24).toString('hex')
let failures = 0
const running = new Set()

function report(title, findings) {
  if (findings.length > 0) failures += 1
  console.log(`${findings.length === 0 ? 'passed' : 'FAILED'}  ${title}`)
  for (const finding of findings.slice(0, 20)) console.log(`        ${finding}`)
}

/** Secrets and data that may lie in a clone do not become part of the build. */
async function checkContext() {
  const isIgnored = await readDockerignore(context)
  const secrets = [
    '.env',
    '.env.local',
    'apps/server/.env',
    'caseward.backup.gz',
    'data/postgres/PG_VERSION',
    '.git/config',
  ]
  report(
    'secrets and data are left out of the build',
    secrets.filter((path) => !isIgnored(path)).map((path) => `${path} is in the build.`),
  )
}

async function checkImageFiles(image) {
  const application = join(image.root, image.workdir)
  const files = await listFiles(application)
  report('only built files, which the service cannot change', checkFiles(files, image.user))
  report('only production dependencies', await checkPackages(application, join(context, 'package-lock.json')))
  const bytes = files.reduce((sum, { stats }) => sum + (stats.isFile() ? stats.size : 0), 0)
  console.log(`        ${(bytes / 1024 / 1024).toFixed(0)} MB in ${files.length} files, beside the base image`)
}

async function waitUntilHealthy(container, healthcheck) {
  const start = performance.now()
  while (performance.now() - start < 120_000) {
    if (container.exec(healthcheck).status === 0) return (performance.now() - start) / 1000
    await sleep(200)
  }
  throw new Error(`The service did not become healthy:\n${container.getOutput()}`)
}

/** Sends a request from within the container, whose network has no other way in. Returns the beginning of the response. */
function request(container, { port }, method, path, body) {
  const script = `
    const [method, url, token, body] = process.argv.slice(1)
    const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
    fetch(url, { method, headers, ...(body && { body }) })
      .then(async (response) => console.log(JSON.stringify({ status: response.status, body: (await response.text()).slice(0, 2000) })))`
  const args = [method, `http://127.0.0.1:${port}${path}`, token, ...(body === undefined ? [] : [JSON.stringify(body)])]
  return JSON.parse(container.exec(['node', '-e', script, ...args]).stdout)
}

async function stop(container, signal) {
  const start = performance.now()
  container.kill(signal)
  const timeout = sleep((STOP_SECONDS + 20) * 1000, { code: null, signal: 'none' }, { ref: false })
  const { code } = await Promise.race([container.exited, timeout])
  const seconds = (performance.now() - start) / 1000
  return { code, seconds }
}

async function checkFirstRun(container, image) {
  const seconds = await waitUntilHealthy(container, image.healthcheck)
  report(`the health check succeeds, ${seconds.toFixed(1)} s after the first start`, [])
  const status = await readFile(`/proc/${container.pid}/status`, 'utf8')
  const field = (name) => new RegExp(`^${name}:\\s+(.+)$`, 'm').exec(status)?.[1].split(/\s+/) ?? []
  report('node is the first process, without root, capabilities and new privileges', [
    ...(field('Name')[0] === 'node' ? [] : [`The process is ${field('Name').join(' ')}.`]),
    ...(field('NSpid').at(-1) === '1' ? [] : [`Its process ids are ${field('NSpid').join(' ')}.`]),
    ...(field('Uid').every((uid) => uid === '1000') ? [] : [`Its users are ${field('Uid').join(' ')}.`]),
    ...(['CapEff', 'CapPrm', 'CapBnd'].every((name) => /^0+$/.test(field(name)[0])) ? [] : ['It has capabilities.']),
    ...(field('NoNewPrivs')[0] === '1' ? [] : ['It can get privileges.']),
  ])
  const write = (path) => container.exec(['sh', '-c', `echo x > ${path}/probe && rm ${path}/probe`]).status === 0
  report('only the data directory and /tmp can be written', [
    ...['/data', '/tmp'].filter((path) => !write(path)).map((path) => `${path} cannot be written.`),
    ...[image.workdir, '/', '/etc', '/usr'].filter(write).map((path) => `${path} can be written.`),
  ])
  const created = request(container, image, 'POST', '/v1/projects', { name: 'Image', prefix: 'IMG' })
  const page = request(container, image, 'GET', '/')
  const openApi = request(container, image, 'GET', '/openapi.json')
  report('the API, the web app and the reference respond', [
    ...(created.status === 201 ? [] : [`POST /v1/projects: ${created.status} ${created.body}`]),
    ...(page.status === 200 && page.body.includes('<title') ? [] : [`GET /: ${page.status}`]),
    ...(openApi.status === 200 ? [] : [`GET /openapi.json: ${openApi.status}`]),
  ])
  const backup = container.exec([...image.entrypoint, 'admin', 'backup', '/data/test.backup.gz'])
  report('a backup can be made in the running container', backup.status === 0 ? [] : [backup.stderr || backup.stdout])
  container.kill(image.stopSignal)
  await sleep(500)
  const isUnhealthy = container.exec(image.healthcheck).status === 1
  report('the health check fails while the service stops', isUnhealthy ? [] : ['It succeeded.'])
}

async function checkSecondRun(container, image) {
  await waitUntilHealthy(container, image.healthcheck)
  const list = request(container, image, 'GET', '/v1/projects')
  report('a new container has the data of the volume', list.body.includes('"IMG"') ? [] : [list.body])
  const { code, seconds } = await stop(container, image.stopSignal)
  const isInTime = code === 0 && seconds < STOP_SECONDS
  report(
    `${image.stopSignal} ends it within ${STOP_SECONDS} s`,
    isInTime ? [] : [`exit code ${code} after ${seconds} s`],
  )
  console.log(`        ${seconds.toFixed(1)} s, with SHUTDOWN_DELAY_MS at its default`)
}

async function checkImage(directory) {
  const { arch } = process
  const variables = { TARGETARCH: arch === 'x64' ? 'amd64' : arch, BUILDPLATFORM: `linux/${arch}` }
  const stages = readDockerfile(await readFile(join(context, 'Dockerfile'), 'utf8'), variables)
  await checkContext()
  const image = await buildStages(stages, { context, directory, variables })
  await checkImageFiles(image)
  const volume = join(directory, 'volume')
  await createVolume(volume, image.user)
  const env = { ...image.env, ADMIN_EMAIL: 'admin@example.test', ADMIN_TOKEN: token }
  const options = { ...image, command: image.entrypoint, env, volumes: [[volume, image.volumes[0]]] }
  const before = await listFiles(image.root)
  await runContainer(image, options, checkFirstRun)
  await runContainer(image, options, checkSecondRun)
  const after = await listFiles(image.root)
  report('nothing of the image has changed', compareFiles(before, after))
}

/** Starts a container, and waits until it has ended after the check. */
async function runContainer(image, options, check) {
  const container = await startContainer(image.root, options)
  running.add(container)
  await check(container, image)
  await container.exited
  running.delete(container)
}

const compareFiles = (before, after) => {
  const times = new Map(before.map(({ path, stats }) => [path, stats.mtimeMs]))
  return after.filter(({ path, stats }) => times.get(path) !== stats.mtimeMs).map(({ path }) => `${path} was written.`)
}

const obstacle = findObstacle()
if (obstacle !== null) {
  console.error(`The image cannot be tested here: ${obstacle}.`)
  process.exit(1)
}
const directory = await mkdtemp(join(tmpdir(), 'caseward-image-'))
await chmod(directory, 0o755)
try {
  await checkImage(directory)
} finally {
  // The first process of a container ends all others with it.
  for (const container of running) container.end()
  if (process.argv.includes('--keep')) console.log(`The files are in ${directory}`)
  else await rm(directory, { recursive: true, force: true })
}
if (failures > 0) {
  console.error(`${failures} checks failed.`)
  process.exitCode = 1
}
