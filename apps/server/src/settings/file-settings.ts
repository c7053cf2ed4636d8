import { Type } from 'typebox'

import { booleanAliases, defineSetting } from './define-setting.ts'

/** Attached files. */
export const fileSettings = {
  filesDir: defineSetting({
    env: 'FILES_DIR',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'Directory of attached files; `DATA_DIR/files` when unset. Several servers must share it, or use S3.',
  }),
  filesStore: defineSetting({
    env: 'FILES_STORE',
    schema: Type.Unsafe<'directory' | 's3'>({ type: 'string', enum: ['directory', 's3'] }),
    default: null,
    doc: 'Where new files are stored: `directory` or `s3`; when unset, in the bucket if `S3_BUCKET_URL` is set. Files in the other place stay readable, and `admin move-files` moves them.',
  }),
  filesOrigin: defineSetting({
    env: 'FILES_ORIGIN',
    schema: Type.String({
      pattern: '^https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?$',
      format: 'url',
      description: 'an address without a path, such as https://files.example.org',
    }),
    default: null,
    doc: 'Address of this server under another host name, `https://files.example.org`, from which browsers load attached files and the viewer of Playwright traces, so that no content is on the address of the web app. Requires `PUBLIC_URL`.',
  }),
  filesMinFreeMb: defineSetting({
    env: 'FILES_MIN_FREE_MB',
    schema: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
    default: 1024,
    doc: 'Free space in MB on the file system of `FILES_DIR` below which files are refused; results are still stored.',
  }),
  fileLimitMb: defineSetting({
    env: 'FILE_LIMIT_MB',
    schema: Type.Integer({ minimum: 1, maximum: 5120 }),
    default: 256,
    doc: 'Size limit of an attached file in MB. Files over 32 MB are sent in parts of 8 MB.',
  }),
  fileDeleteDays: defineSetting({
    env: 'FILE_DELETE_DAYS',
    schema: Type.Integer({ minimum: 0, maximum: 3650 }),
    default: 7,
    doc: 'Number of days after which the content of a deleted file is removed, so that a database that is restored from a backup of these days still finds it.',
  }),
  s3BucketUrl: defineSetting({
    env: 'S3_BUCKET_URL',
    schema: Type.String({
      pattern: '^https?://[^\\s?#@]+/[^\\s/?#@]+$',
      format: 'url',
      description: 'the URL of a bucket without a trailing slash: https://s3.example.com/bucket',
    }),
    default: null,
    doc: 'Bucket of an S3-compatible storage for attached files, instead of `FILES_DIR`: `https://s3.example.com/bucket`.',
  }),
  s3Region: defineSetting({
    env: 'S3_REGION',
    schema: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: 'letters, digits and hyphens' }),
    default: 'us-east-1',
    doc: 'Region of the bucket.',
  }),
  s3AccessKeyId: defineSetting({
    env: 'S3_ACCESS_KEY_ID',
    schema: Type.String({ pattern: '^[\\x21-\\x7e]{1,512}$', description: 'text without spaces' }),
    default: null,
    doc: 'Access key that may read, write, list and delete the objects of the bucket.',
    isSecret: true,
  }),
  s3SecretAccessKey: defineSetting({
    env: 'S3_SECRET_ACCESS_KEY',
    schema: Type.String({ pattern: '^[\\x21-\\x7e]{1,512}$', description: 'text without spaces' }),
    default: null,
    doc: 'Secret of `S3_ACCESS_KEY_ID`.',
    isSecret: true,
  }),
  s3Prefix: defineSetting({
    env: 'S3_PREFIX',
    schema: Type.String({
      pattern: '^(?:[A-Za-z0-9._-]+/)*$',
      maxLength: 512,
      description: 'letters, digits, dots, hyphens and underscores, with a slash at the end: caseward/',
    }),
    default: '',
    doc: 'What the names of objects in the bucket begin with, such as `caseward/`.',
  }),
  s3Redirect: defineSetting({
    env: 'S3_REDIRECT',
    schema: Type.Integer({ minimum: 0, maximum: 1 }),
    default: 0,
    doc: '`1` sends whoever opens a file in the bucket to an address of the bucket that works for a minute, so that the bytes do not pass through this server.',
    aliases: booleanAliases,
  }),
}
