interface ContentSettings {
  filesOrigin: string | null
  s3BucketUrl: string | null
  s3Redirect: number
}

/** Returns the origins other than the app's from which browsers load contents. */
export const getContentSources = ({ filesOrigin, s3BucketUrl, s3Redirect }: ContentSettings): string[] => [
  ...(filesOrigin === null ? [] : [filesOrigin]),
  ...(s3BucketUrl === null || s3Redirect === 0 ? [] : [new URL(s3BucketUrl).origin]),
]
