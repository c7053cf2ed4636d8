/** Addresses of pages that create an issue, by tracker. Words in capital letters are replaced by those of the project. */
export const trackerPresets = [
  {
    name: 'GitHub',
    template: 'https://github.com/OWNER/REPOSITORY/issues/new?title={title}&body={body}&labels={labels}',
  },
  {
    name: 'GitLab',
    template: 'https://gitlab.com/GROUP/PROJECT/-/issues/new?issue[title]={title}&issue[description]={body}',
  },
  {
    name: 'Jira',
    template:
      'https://SITE.atlassian.net/secure/CreateIssueDetails!init.jspa?pid=PROJECT_ID&issuetype=TYPE_ID&summary={title}&description={body}',
  },
  { name: 'Linear', template: 'https://linear.app/team/TEAM/new?title={title}&description={body}' },
  {
    name: 'Azure DevOps',
    template:
      'https://dev.azure.com/ORGANIZATION/PROJECT/_workitems/create/Bug?[System.Title]={title}&[System.Description]={body}',
  },
  {
    name: 'YouTrack',
    template: 'https://SITE.youtrack.cloud/newIssue?project=PROJECT&summary={title}&description={body}',
  },
  {
    name: 'Redmine',
    template: 'https://HOST/projects/PROJECT/issues/new?issue[subject]={title}&issue[description]={body}',
  },
  {
    name: 'Bugzilla',
    template: 'https://HOST/enter_bug.cgi?product=PRODUCT&component=COMPONENT&short_desc={title}&comment={body}',
  },
] as const
