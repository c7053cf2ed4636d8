-- no transaction
create index concurrently if not exists run_attachments_comment on run_attachments (project_id, comment_id) where comment_id is not null;
create index concurrently if not exists case_attachments_comment on case_attachments (project_id, comment_id) where comment_id is not null;
