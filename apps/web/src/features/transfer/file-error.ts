/** Why a file cannot be read or written: its message is a sentence for the user. */
export class FileError extends Error {}

export const unreadableExcelError = () =>
  new FileError('The Excel file cannot be read: it is damaged, or not a workbook (.xlsx).')
