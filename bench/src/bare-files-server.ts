import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import fastify from 'fastify'
import pg from 'pg'

/*
 * What files are compared with. `PUT /files/…` hashes a body, writes it, waits for the disk and renames it; `PUT /stored/…` does so
 * for good: the new name is on the disk, too, and a row in PostgreSQL says what was stored. `PUT /parts/…` appends a body to a
 * content and waits for the disk. `GET /static/…` is @fastify/static.
 */

const directory = process.env['DIRECTORY'] ?? '.'
await mkdir(directory, { recursive: true })
const pool = new pg.Pool({ ...(JSON.parse(process.env['CONNECTION'] ?? '{}') as pg.PoolConfig), max: 5 })
await pool.query('create table if not exists bare_files (name text primary key, sha256 text, byte_count bigint)')
const app = fastify()
await app.register(fastifyStatic, { root: directory, prefix: '/static/' })
app.get('/healthz', () => 'ok')
await app.ready()

/** Writes a body to a file, waits for the disk, and closes the file. */
async function receive(request: IncomingMessage, file: FileHandle, hash: Hash): Promise<void> {
  try {
    for await (const chunk of request) {
      hash.update(chunk as Buffer)
      await file.write(chunk as Buffer)
    }
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function writeFile(request: IncomingMessage, name: string): Promise<string> {
  const path = join(directory, `${name}.tmp`)
  const hash = createHash('sha256')
  await receive(request, await open(path, 'w'), hash)
  await rename(path, join(directory, name))
  return hash.digest('hex')
}

/** As {@link writeFile}, and stores what a later request needs to find the file. */
async function storeFile(request: IncomingMessage, name: string): Promise<string> {
  const digest = await writeFile(request, name)
  const folder = await open(directory)
  await folder.sync()
  await folder.close()
  const byteCount = Number(request.headers['content-length'])
  await pool.query({
    name: 'store',
    text: 'insert into bare_files (name, sha256, byte_count) values ($1, $2, $3)',
    values: [name, digest, byteCount],
  })
  return digest
}

const hashes = new Map<string, Hash>()

async function appendPart(request: IncomingMessage, name: string): Promise<string> {
  const hash = hashes.get(name) ?? createHash('sha256')
  hashes.set(name, hash)
  await receive(request, await open(join(directory, name), 'a'), hash)
  return hash.copy().digest('hex')
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, kind, name = ''] = (request.url ?? '').split('/')
  const receiveBody = kind === 'parts' ? appendPart : kind === 'stored' ? storeFile : writeFile
  const digest = await receiveBody(request, name)
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ data: { digest } }))
}

const server = createServer((request, response) => {
  if (request.method === 'PUT') void respond(request, response)
  else app.routing(request, response)
})
process.once('SIGTERM', () => process.exit())
server.listen(Number(process.env['PORT']), '127.0.0.1')
