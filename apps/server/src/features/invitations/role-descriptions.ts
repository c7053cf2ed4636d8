/** What the role in an invitation allows, to follow the word "as". */
export const roleDescriptions = {
  admin: 'an admin: you can do everything in the project, and invite others',
  member: 'a member: you can write test cases, run them and record results',
  viewer: 'a viewer: you can read everything in the project',
} as const
