/** The requirements of one section of the specification: what it says in our words, by a short id that tests name. */
export type Requirements = Readonly<Record<string, string>>
