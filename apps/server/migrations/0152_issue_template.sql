-- The address of the page of the issue tracker that creates an issue, with places for what is known of a failure.
alter table projects
  add column issue_template text,
  add constraint projects_issue_template check (char_length(issue_template) between 1 and 2000) not valid;
