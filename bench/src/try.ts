import pg from 'pg'
import { compareReads } from './reads.ts'
import { seedProject, settle } from './seed.ts'
import { startCasebook, startPostgres, startReference } from './servers.ts'
import { compareUploads } from './uploads.ts'

const postgres = await startPostgres()
const casebook = await startCasebook(postgres.connection)
const reference = await startReference(postgres.connection)
const client = new pg.Client({ ...postgres.connection })
await client.connect()
try {
  const seeded = await seedProject(client, 10_000)
  await settle(client)
  if (process.argv[2] !== 'reads') console.log(await compareUploads(client, casebook, seeded, 10_000, 7))
  if (process.argv[2] !== 'uploads') console.log(await compareReads(client, casebook, reference, seeded))
  console.log(await casebook.vitals())
} finally {
  await client.end()
  await casebook.close()
  await reference.close()
  await postgres.close()
}
