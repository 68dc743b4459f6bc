-- Texts of cited pages are a kind of data of their own, `contents`. Their rows are in the warehouse, which has no triggers. So their
-- version follows the rows of PostgreSQL that are written after them: imports of texts, and texts that an audit has stored.
CREATE FUNCTION "raiseImported"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "raiseVersion"(c."projectId", TG_ARGV[0]) FROM (SELECT DISTINCT "projectId" FROM changed) c;
  PERFORM "raiseVersion"(c."projectId", 'contents')
     FROM (SELECT DISTINCT "projectId" FROM changed WHERE "kind" = 'page_contents') c;
  RETURN NULL;
END $$;

CREATE FUNCTION "raiseForAnew"(relation text, called text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP TRIGGER "raiseAdded" ON %I', relation);
  EXECUTE format('DROP TRIGGER "raiseUpdated" ON %I', relation);
  EXECUTE format('DROP TRIGGER "raiseDeleted" ON %I', relation);
  PERFORM "raiseFor"(relation, called);
END $$;

SELECT "raiseForAnew"('Import', '"raiseImported"(''records'')'),
       "raiseForAnew"('AuditText', '"raiseOfParent"(''contents'', ''Audit'', ''auditId'')');

DROP FUNCTION "raiseForAnew"(text, text);
