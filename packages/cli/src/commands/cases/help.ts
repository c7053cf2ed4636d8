export const environmentHelp = `
Environment:
  SERVICE_URL          address of the Caseward server
  SERVICE_PROJECT_ID   project; not required if the token has access to one project only`

export const columnsHelp = `
Columns:
  id, title, folder, priority, type, precondition, steps, expected_result, tags, automation_key, owner, estimate,
  template

  A folder is a path such as Checkout/Payment; a / in a name is written \\/. Tags are separated by commas; a comma in a
  tag is written \\, and a backslash \\\\. All steps are in one cell:

    1. Put a book into the basket
    => The basket shows it
    2. Pay by card,
        the expired one (further lines of a text are indented by four spaces)

  An owner is the email address or name of an admin or member. An estimate is a time such as 90s, 15m or 1h 30m. A
  template is steps or text. An export leaves these three columns out if no test case has them.

  Custom fields have a column each, by their name or key. Options are named by their labels or keys, several separated by
  semicolons; yes or no, dates such as 2026-11-21, and people by their names.

  A text that a spreadsheet would run as a formula starts with an apostrophe in the file; the import removes it.
`
