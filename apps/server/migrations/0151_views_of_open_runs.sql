-- The list of runs opens on all runs: views that were kept while it opened on those in progress go on showing these.

update views set query = case when query = '' then 'status=in_progress' else 'status=in_progress&' || query end
where page = 'runs' and query !~ '(^|&)status=';
update views set query = regexp_replace(query, '(^|&)status=all(&|$)', '\1')
where page = 'runs';
