/** The service that runs this PostgreSQL: names for what is created, and texts for error messages. */
export interface ServiceDescription {
  /**
   * Names the role, the database, the cluster, the password file `<id>.password` and the directory of sockets.
   * Lower-case letters, digits and underscores; it must stay the same for an existing data directory.
   */
  id: string
  /** The service in messages, such as "Example". */
  name: string
  /** The setting that chooses the data directory, such as "DATA_DIR". */
  dataDirSetting: string
  /** What to do instead of using this PostgreSQL, such as "set DATABASE_URL to a PostgreSQL server". */
  alternative: string
}

/** Rejects ids that would not be safe as an SQL name or as a part of a path. */
export function assertServiceId({ id }: ServiceDescription): void {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(id)) throw new TypeError(`service.id is not a valid name: ${JSON.stringify(id)}`)
}
