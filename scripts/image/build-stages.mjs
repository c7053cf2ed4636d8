import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { chown, cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

import dockerignore from '@balena/dockerignore'

import { createRoot, runBuildStep } from './namespaces.mjs'
import { parseExecForm } from './read-dockerfile.mjs'

/** Reads .dockerignore and returns a function that says whether a path is left out of the build. */
export async function readDockerignore(context) {
  const rules = dockerignore().add(await readFile(join(context, '.dockerignore'), 'utf8'))
  return (path) => rules.ignores(path)
}

/** Copies what .dockerignore leaves of the context. Directories are entered, because a rule can name a file below one. */
async function copyContext(context, target) {
  const isIgnored = await readDockerignore(context)
  const copy = async (directory) => {
    for (const entry of await readdir(join(context, directory), { withFileTypes: true })) {
      const path = join(directory, entry.name)
      if (entry.name === 'node_modules' || entry.name === '.git') continue
      if (entry.isDirectory()) await copy(path)
      else if (!isIgnored(path)) await cp(join(context, path), join(target, path))
    }
  }
  await copy('')
}

/**
 * Executes the instructions of all stages in directories below `directory`.
 * @returns the configuration of the last stage, as an image has it, and its root
 */
export async function buildStages(stages, { context, directory, variables }) {
  const roots = new Map()
  let image
  for (const stage of stages) {
    const root = join(directory, stage.name)
    await createRoot(root)
    roots.set(stage.name, root)
    image = { root, workdir: '/', user: '0:0', env: {}, volumes: [], labels: {} }
    const args = {}
    for (const step of stage.steps) await executeStep(step, { image, args, context, roots, variables })
  }
  return image
}

async function executeStep(step, { image, args, context, roots, variables }) {
  const { root } = image
  switch (step.keyword) {
    case 'ARG': {
      const [name, value = ''] = step.args[0].split('=')
      args[name] = variables[name] ?? value
      return
    }
    case 'ENV':
      for (const [name, value] of step.pairs) image.env[name] = value
      return
    case 'LABEL':
      for (const [name, value] of step.pairs) image.labels[name] = value
      return
    case 'WORKDIR':
      image.workdir = resolve(image.workdir, step.args[0])
      await mkdir(join(root, image.workdir), { recursive: true })
      return
    case 'COPY': {
      const [from, to] = step.args
      const target = join(root, resolve(image.workdir, to))
      if (step.flags.from === undefined) {
        if (from !== '.') throw new Error(`COPY ${from} is not supported by this check.`)
        await copyContext(context, target)
      } else {
        copyFromStage(join(roots.get(step.flags.from), from), target, step.flags.chown ?? '0:0')
      }
      return
    }
    case 'RUN':
      await runStep(step, image, args)
      return
    case 'USER':
      image.user = step.args[0]
      return
    case 'VOLUME':
      image.volumes.push(...step.args)
      return
    case 'EXPOSE':
      image.port = Number(step.args[0])
      return
    case 'STOPSIGNAL':
      image.stopSignal = step.args[0]
      return
    case 'HEALTHCHECK':
      image.healthcheck = parseExecForm(step.command)
      return
    case 'ENTRYPOINT':
      image.entrypoint = parseExecForm(step.command)
      return
    default:
      throw new Error(`${step.keyword} is not supported by this check.`)
  }
}

/** Copies what a directory contains. As with COPY, modes and links stay, and what is copied gets the owner. */
function copyFromStage(from, target, owner) {
  const names = readdirSync(from).map((name) => join(from, name))
  execFileSync('cp', ['-a', '--no-preserve=ownership', '-t', target, ...names])
  for (const name of names) execFileSync('chown', ['-hR', owner, join(target, basename(name))])
}

async function runStep({ command, flags }, { root, workdir, env }, args) {
  const binds = []
  const mount = Object.fromEntries((flags.mount ?? '').split(',').map((pair) => pair.split('=')))
  if (mount.type === 'cache') {
    const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
    await mkdir(join(root, mount.target), { recursive: true })
    binds.push([cache, mount.target])
  }
  runBuildStep(root, { command, workdir, env: { ...env, ...args }, binds })
}

/** Creates a volume as Docker does: with the owner and mode that its mount point has in the image. */
export async function createVolume(directory, user) {
  const [uid, gid] = user.split(':').map(Number)
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: 0o700 })
  await chown(directory, uid, gid)
}
