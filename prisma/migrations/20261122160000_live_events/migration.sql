-- Announces changes to the API's processes, whatever process makes them. A notification belongs to the transaction of
-- its change: nothing is announced before it is visible, and a rollback takes it along. PostgreSQL drops repetitions
-- within a transaction. `core/live/events.ts` reads the payloads.

CREATE FUNCTION "announce"(event jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('sightline_live', event::text)
$$;

CREATE FUNCTION "announceProject"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM "announce"(jsonb_build_object('kind', 'access', 'projectId', OLD."id"));
    RETURN NULL;
  END IF;
  IF NEW."isActive" <> OLD."isActive" THEN
    PERFORM "announce"(jsonb_build_object('kind', 'access', 'projectId', NEW."id"));
  END IF;
  IF NEW."visibleLoad" <> OLD."visibleLoad" THEN
    PERFORM "announce"(jsonb_build_object(
      'kind', CASE WHEN NEW."analysis" = OLD."analysis" THEN 'data_imported' ELSE 'answers_reanalyzed' END,
      'projectId', NEW."id"));
  END IF;
  IF NEW."sitemapStatus" <> OLD."sitemapStatus" THEN
    PERFORM "announce"(jsonb_build_object('kind', 'sitemap_progressed', 'projectId', NEW."id"));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "announce" AFTER UPDATE OR DELETE ON "Project"
  FOR EACH ROW EXECUTE FUNCTION "announceProject"();

CREATE FUNCTION "announceAccessLog"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'data_imported', 'projectId', NEW."projectId"));
  RETURN NULL;
END $$;

CREATE TRIGGER "announce" AFTER UPDATE OF "readBytes" ON "AccessLog"
  FOR EACH ROW WHEN (NEW."readBytes" <> OLD."readBytes") EXECUTE FUNCTION "announceAccessLog"();

-- Audits and reports, by the name of their event.
CREATE FUNCTION "announceRun"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', TG_ARGV[0], 'projectId', NEW."projectId", 'subjectId', NEW."id"));
  RETURN NULL;
END $$;

CREATE TRIGGER "announceAdded" AFTER INSERT ON "Audit"
  FOR EACH ROW EXECUTE FUNCTION "announceRun"('audit_progressed');
CREATE TRIGGER "announceStatus" AFTER UPDATE OF "status" ON "Audit"
  FOR EACH ROW WHEN (NEW."status" <> OLD."status") EXECUTE FUNCTION "announceRun"('audit_progressed');
CREATE TRIGGER "announceAdded" AFTER INSERT ON "Report"
  FOR EACH ROW EXECUTE FUNCTION "announceRun"('report_progressed');
CREATE TRIGGER "announceStatus" AFTER UPDATE OF "status" ON "Report"
  FOR EACH ROW WHEN (NEW."status" <> OLD."status") EXECUTE FUNCTION "announceRun"('report_progressed');

-- One statement may end all pages of an audit, so this looks at its rows once.
CREATE FUNCTION "announceAuditPages"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'audit_progressed', 'projectId', a."projectId", 'subjectId', a."id"))
     FROM "Audit" a
    WHERE a."id" IN (
      SELECT n."auditId" FROM changed n JOIN earlier o ON o."auditId" = n."auditId" AND o."pageId" = n."pageId"
       WHERE n."status" <> o."status");
  RETURN NULL;
END $$;

CREATE TRIGGER "announce" AFTER UPDATE ON "AuditPage"
  REFERENCING OLD TABLE AS earlier NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "announceAuditPages"();

CREATE FUNCTION "announceOpportunities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'opportunities_evaluated', 'projectId', c."projectId"))
     FROM (SELECT DISTINCT "projectId" FROM changed) c;
  RETURN NULL;
END $$;

CREATE TRIGGER "announceAdded" AFTER INSERT ON "Opportunity" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "announceOpportunities"();
CREATE TRIGGER "announceChanged" AFTER UPDATE ON "Opportunity" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "announceOpportunities"();

CREATE FUNCTION "announceEdits"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'project_edited', 'projectId', c."projectId", 'action', c."action"))
     FROM (SELECT DISTINCT "projectId", "action" FROM added WHERE "projectId" IS NOT NULL) c;
  RETURN NULL;
END $$;

CREATE TRIGGER "announce" AFTER INSERT ON "AuditEntry" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "announceEdits"();

CREATE FUNCTION "announceKey"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'access', 'keyId', OLD."id"));
  RETURN NULL;
END $$;

CREATE TRIGGER "announce" AFTER UPDATE OR DELETE ON "ApiKey"
  FOR EACH ROW EXECUTE FUNCTION "announceKey"();

CREATE FUNCTION "announceMember"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'access', 'userId', OLD."userId"));
  RETURN NULL;
END $$;

CREATE TRIGGER "announce" AFTER UPDATE OR DELETE ON "Membership"
  FOR EACH ROW EXECUTE FUNCTION "announceMember"();
