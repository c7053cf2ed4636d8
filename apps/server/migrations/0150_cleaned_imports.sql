-- When the files and records of an import were deleted, some time after its end. Its report stays.
alter table imports add column cleaned_at timestamptz(3);
