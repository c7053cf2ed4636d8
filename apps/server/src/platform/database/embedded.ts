import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type ServiceDescription,
  startEmbeddedPostgres,
} from '@caseward/embedded-postgres'

const service: ServiceDescription = {
  id: 'caseward',
  name: 'Caseward',
  dataDirSetting: 'DATA_DIR',
  alternative: 'set DATABASE_URL to a PostgreSQL server of version 15 or later',
}

type EmbeddedDatabaseOptions = Omit<EmbeddedPostgresOptions, 'service' | 'systemDirectory' | 'packageDirectory'>

/** Starts the PostgreSQL that is included in Caseward. */
export const startEmbeddedDatabase = (options: EmbeddedDatabaseOptions): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ ...options, service, systemDirectory: '/var/lib/caseward' })
