/** A backup that cannot be written, read or restored for a reason that the operator can fix. Its message is complete. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'it, or its directory, does not exist',
  ENOTDIR: 'its directory is a file',
  EISDIR: 'it is a directory',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EFBIG: 'it is larger than the file system or a limit of the process allows',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reports an error',
}

/** Converts an error of the file system; returns other errors unchanged. */
export function toFileError(action: 'read' | 'write', file: string, error: unknown): unknown {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : ''
  // A new file is written: what does not exist is its directory.
  const reason = action === 'write' && code === 'ENOENT' ? 'its directory does not exist' : FILE_ERRORS[code]
  return reason === undefined ? error : new BackupError(`Cannot ${action} ${file}: ${reason}.`)
}
