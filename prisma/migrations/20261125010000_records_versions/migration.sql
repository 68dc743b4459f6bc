-- Traces of work become a kind of data of their own, `records`. An import of traffic, a run or an entry of the audit trail
-- then ends no reply about answers. Rows of `DataVersion` stay as they are: the kind `records` begins with its first change.
CREATE FUNCTION "raiseForAnew"(relation text, called text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP TRIGGER "raiseAdded" ON %I', relation);
  EXECUTE format('DROP TRIGGER "raiseUpdated" ON %I', relation);
  EXECUTE format('DROP TRIGGER "raiseDeleted" ON %I', relation);
  PERFORM "raiseFor"(relation, called);
END $$;

SELECT "raiseForAnew"(relation, called) FROM (VALUES
  ('AuditEntry', '"raiseChanged"(''records'')'),
  ('Import', '"raiseChanged"(''records'')'),
  ('Run', '"raiseChanged"(''records'')'),
  ('ImportedRecord', '"raiseOfParent"(''records'', ''Import'', ''importId'')')) AS tables (relation, called);

DROP FUNCTION "raiseForAnew"(text, text);

-- `updatedAt` of a project changes with each of its columns. Alone it is a trace of work.
CREATE OR REPLACE FUNCTION "raiseProject"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  answers text[] := ARRAY['visibleLoad', 'deadLoads', 'analysis', 'dataAvailableFrom'];
  site text[] := ARRAY['sitemapStatus', 'sitemapJobId', 'sitemapRefreshedAt', 'sitemapError'];
  records text[] := ARRAY['updatedAt'];
  earlier jsonb := to_jsonb(OLD);
  later jsonb := to_jsonb(NEW);
BEGIN
  IF (earlier - answers - site - records - 'lastLoad') IS DISTINCT FROM (later - answers - site - records - 'lastLoad') THEN
    PERFORM "raiseVersion"(NEW."id", 'catalog');
  END IF;
  IF EXISTS (SELECT FROM unnest(answers) name WHERE earlier -> name IS DISTINCT FROM later -> name) THEN
    PERFORM "raiseVersion"(NEW."id", 'answers');
  END IF;
  IF EXISTS (SELECT FROM unnest(site) name WHERE earlier -> name IS DISTINCT FROM later -> name) THEN
    PERFORM "raiseVersion"(NEW."id", 'site');
  END IF;
  IF EXISTS (SELECT FROM unnest(records) name WHERE earlier -> name IS DISTINCT FROM later -> name) THEN
    PERFORM "raiseVersion"(NEW."id", 'records');
  END IF;
  RETURN NULL;
END $$;
