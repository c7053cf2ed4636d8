-- Shared reports can include comments. The new condition accepts all that the old one did.
alter table shares add constraint shares_include_known
  check (include <@ array['notes', 'steps', 'people', 'files', 'links', 'comments']) not valid;
alter table shares drop constraint shares_include_check;
