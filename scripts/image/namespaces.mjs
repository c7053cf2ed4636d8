// Runs commands in a directory as in a container: with namespaces of Linux, but without a container engine. The programs of
// the base image are those of this machine, read-only.
import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const PROGRAMS = ['unshare', 'nsenter', 'chroot', 'setpriv', 'mount', 'ip']

/** Returns why containers cannot be imitated here, or null. */
export function findObstacle() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return 'it requires root on Linux'
  const missing = PROGRAMS.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
  if (missing.length > 0) return `it requires ${missing.join(', ')}`
  const { status, stderr } = spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'true'], { encoding: 'utf8' })
  return status === 0 ? null : `namespaces are not available here: ${stderr.trim()}`
}

/** Creates the root of a stage, with the accounts of the base image and mount points for its other files. */
export async function createRoot(root) {
  for (const name of ['dev', 'etc', 'proc', 'root', 'tmp', 'usr']) await mkdir(join(root, name), { recursive: true })
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${name}`, join(root, name))
  await writeFile(
    `${root}.passwd`,
    'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\nnode:x:1000:1000::/home/node:/bin/sh\n',
  )
}

const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/** The shell commands that mount what a container has beside its own files. */
function formatMounts(root, binds, isReadOnly) {
  const path = (name) => quote(join(root, name))
  const bindReadOnly = (from, to) => [`mount --bind ${quote(from)} ${path(to)}`, `mount -o remount,ro,bind ${path(to)}`]
  return [
    'set -e',
    `mount --bind ${quote(root)} ${quote(root)}`,
    ...bindReadOnly('/usr', 'usr'),
    ...bindReadOnly('/etc', 'etc'),
    ...bindReadOnly(`${root}.passwd`, 'etc/passwd'),
    `mount -t proc proc ${path('proc')}`,
    `mount -t tmpfs -o mode=755 dev ${path('dev')}`,
    ...['null', 'zero', 'full', 'random', 'urandom'].flatMap((name) => [
      `touch ${path(`dev/${name}`)}`,
      `mount --bind /dev/${name} ${path(`dev/${name}`)}`,
    ]),
    // Docker's default size.
    `mkdir ${path('dev/shm')}`,
    `mount -t tmpfs -o mode=1777,size=64m shm ${path('dev/shm')}`,
    `mount -t tmpfs -o mode=1777,size=256m tmp ${path('tmp')}`,
    ...binds.map(([from, to]) => `mount --bind ${quote(from)} ${path(to)}`),
    ...(isReadOnly ? [`mount -o remount,ro,bind ${quote(root)}`] : []),
  ]
}

/** Runs a command of the Dockerfile as root, with the network of this machine, as a build does. */
export function runBuildStep(root, { command, workdir, env, binds }) {
  const script = [
    ...formatMounts(root, binds, false),
    `exec chroot ${quote(root)} sh -c ${quote(`cd ${quote(workdir)} && ${command}`)}`,
  ]
  const { status } = spawnSync(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script.join('\n')],
    {
      env: { ...pickNetworkSettings(), PATH: process.env.PATH, HOME: '/root', ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  if (status !== 0) throw new Error(`${command} failed.`)
}

/** Settings of this machine that lead to the npm registry; they are not part of the image. */
const pickNetworkSettings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(?:https?_proxy|no_proxy|node_extra_ca_certs|npm_config_(?:registry|cafile))$/i.test(name),
    ),
  )

const dropPrivileges = (user) => {
  const [uid, gid] = user.split(':')
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--inh-caps=-all',
    '--bounding-set=-all',
  ]
}

/**
 * Starts a container: the command is its first process, has no capabilities, a network of its own with nothing but the
 * loopback interface, a read-only root, and writes to `volumes` and /tmp only.
 */
export async function startContainer(root, { command, user, workdir, env, volumes }) {
  const run = ['chroot', root, ...dropPrivileges(user), ...command].map(quote).join(' ')
  const script = [...formatMounts(root, volumes, true), 'ip link set lo up', `exec ${run}`]
  const flags = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child']
  const child = spawn('unshare', [...flags, 'sh', '-c', script.join('\n')], {
    env: { PATH: process.env.PATH, ...env },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  const pid = await findChild(child.pid)
  return {
    pid,
    exited,
    getOutput: () => output,
    kill: (signal) => process.kill(pid, signal),
    /** Ends it, unless it has ended by itself. */
    end: () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(pid, 'SIGKILL')
    },
    /** Runs another command in the container, as `docker exec` does. */
    exec: (args) =>
      spawnSync(
        'nsenter',
        [
          `--target=${pid}`,
          '--mount',
          '--pid',
          '--net',
          '--ipc',
          '--uts',
          `--root`,
          `--wd=${join(root, workdir)}`,
          ...dropPrivileges(user),
          ...args,
        ],
        { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' },
      ),
  }
}

/** Returns the process that `unshare` has started. */
async function findChild(parent) {
  for (let attempt = 0; attempt < 250; attempt += 1) {
    const [child] = (await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '')).split(' ')
    if (child) return Number(child)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The container did not start.')
}
