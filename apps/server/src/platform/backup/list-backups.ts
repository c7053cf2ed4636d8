import { readdir } from 'node:fs/promises'

const FILE_NAME = /^caseward-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup\.gz$/

/** Whether a file has the name of a scheduled backup. */
export const isScheduledBackup = (name: string): boolean => FILE_NAME.test(name)

/** Lists the scheduled backups in a directory, the oldest first. */
export const listBackups = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter(isScheduledBackup).toSorted()

/** Returns when the newest scheduled backup was begun, or null without one or without the directory. */
export const findNewestBackupTime = async (directory: string): Promise<Date | null> =>
  readTime((await listBackups(directory).catch(() => [])).at(-1))

/** Returns when the oldest scheduled backup was begun, or null without one. */
export const findOldestBackupTime = async (directory: string): Promise<Date | null> =>
  readTime((await listBackups(directory)).at(0))

function readTime(name = ''): Date | null {
  const [, date, hours, minutes, seconds] = FILE_NAME.exec(name) ?? []
  return date === undefined ? null : new Date(`${date}T${hours}:${minutes}:${seconds}Z`)
}
