import { Type } from 'typebox'

import { defineSetting, url } from './define-setting.ts'

/** The instance: its address, its database and its mail. */
export const instanceSettings = {
  port: defineSetting({
    env: 'PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65_535 }),
    default: 3000,
    doc: 'Port to listen on; `0` chooses a free port.',
  }),
  host: defineSetting({
    env: 'HOST',
    schema: Type.String({ minLength: 1 }),
    default: '127.0.0.1',
    doc: 'Address to listen on; `0.0.0.0` listens on all addresses.',
  }),
  publicUrl: defineSetting({
    env: 'PUBLIC_URL',
    schema: url,
    default: null,
    doc: 'Public URL of the service, used in links; `http://localhost:PORT` when unset.',
  }),
  dataDir: defineSetting({
    env: 'DATA_DIR',
    schema: Type.String({ minLength: 1 }),
    default: 'data',
    doc: 'Directory of the embedded database and of all other files.',
  }),
  databaseUrl: defineSetting({
    env: 'DATABASE_URL',
    schema: Type.String({ pattern: '^postgres(ql)?://', description: 'a postgres:// URL' }),
    default: null,
    doc: 'URL of a PostgreSQL database, version 15 or later, to use instead of the embedded one.',
    isSecret: true,
  }),
  databasePassword: defineSetting({
    env: 'PGPASSWORD',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'Password of the database, as it is, if `DATABASE_URL` contains none.',
    isSecret: true,
  }),
  databasePoolSize: defineSetting({
    env: 'DATABASE_POOL_SIZE',
    schema: Type.Integer({ minimum: 2, maximum: 1000 }),
    default: 10,
    doc: 'Maximum number of database connections for requests; jobs use two more, and event streams one.',
  }),
  postgresSharedBuffersMb: defineSetting({
    env: 'POSTGRES_SHARED_BUFFERS_MB',
    schema: Type.Integer({ minimum: 16, maximum: 1_000_000 }),
    default: null,
    doc: 'Size in MB of the cache of the embedded PostgreSQL (`shared_buffers`); when unset, an eighth of the memory of the machine or container, from 32 to 2048.',
  }),
  smtpUrl: defineSetting({
    env: 'SMTP_URL',
    schema: Type.String({
      pattern: '^smtps?://[^\\s]+$',
      format: 'url',
      description: 'an smtp:// or smtps:// URL',
    }),
    default: null,
    doc: 'Mail server, `smtp://user:password@host:587`; when unset, emails are written to `DATA_DIR/outbox`.',
    isSecret: true,
  }),
  mailFrom: defineSetting({
    env: 'MAIL_FROM',
    schema: Type.String({
      pattern: '^(?:[^\\s@<>]+@[^\\s@<>]+|[^<>\\x00-\\x1f]+ <[^\\s@<>]+@[^\\s@<>]+>)$',
      description: 'an email address, optionally with a name: Caseward <caseward@example.com>',
    }),
    default: 'Caseward <caseward@localhost>',
    doc: 'Sender of emails.',
  }),
}
