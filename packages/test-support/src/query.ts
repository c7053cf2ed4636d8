import pg from 'pg'

/** Runs one statement on a connection of its own and returns its rows. */
export async function query<Row>(connection: pg.ClientConfig, statement: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  // A lost connection emits an error and also rejects the query.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}
