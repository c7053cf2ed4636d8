-- On a database that is distributed with Citus, the rows of test cases and folders are on other machines, where triggers
-- cannot notify this one. The server calls this function instead, where the extension is installed; `admin distribute`
-- replaces it in the transaction in which the triggers end.
create function notify_distributed_change(kind text, project_id uuid, numbers integer[], is_deleted boolean) returns void
  language plpgsql as $$ begin end $$;
