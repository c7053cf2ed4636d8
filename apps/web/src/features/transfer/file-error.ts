/** Why a file cannot be read or written: its message is a sentence for the user. */
export class FileError extends Error {}
