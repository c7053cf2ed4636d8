/** The requirements of one section of the specification: the id that tests use in their tags, and a description. */
export type Requirements = Readonly<Record<string, string>>
