import type { Config } from '../../config.ts'

/** Returns the origins other than the app's from which browsers load contents. */
export const getContentSources = ({
  filesOrigin,
  s3BucketUrl,
  s3Redirect,
}: Pick<Config, 'filesOrigin' | 's3BucketUrl' | 's3Redirect'>): string[] => [
  ...(filesOrigin === null ? [] : [filesOrigin]),
  ...(s3BucketUrl === null || s3Redirect === 0 ? [] : [new URL(s3BucketUrl).origin]),
]
