/** How often backups can be made, with the times in UTC as in a crontab. */
export const BACKUP_SCHEDULES = {
  '1h': '0 * * * *',
  '2h': '0 */2 * * *',
  '3h': '0 */3 * * *',
  '4h': '0 */4 * * *',
  '6h': '0 */6 * * *',
  '8h': '0 */8 * * *',
  '12h': '0 */12 * * *',
  '1d': '0 0 * * *',
  '7d': '0 0 * * 0',
} as const
