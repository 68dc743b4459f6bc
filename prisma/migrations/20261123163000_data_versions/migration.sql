-- CreateTable
CREATE TABLE "DataVersion" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "projectId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "DataVersion_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "DataVersion_projectId_kind_idx" ON "DataVersion"("projectId", "kind");

-- The version of a kind of data of a project is the sum over its rows. Each transaction that changes such data raises one
-- row, and takes a row that no other transaction holds. So no transaction waits for another, and each commit raises the sum.
CREATE FUNCTION "raiseVersion"(project uuid, what text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  mark text := project || ':' || what || ' ';
  -- What this transaction has raised before. A savepoint that is rolled back takes its marks along.
  raised text := coalesce(current_setting('sightline.raised', true), '');
BEGIN
  IF strpos(raised, mark) > 0 THEN
    RETURN;
  END IF;
  UPDATE "DataVersion" SET "version" = "version" + 1 WHERE "id" = (
    SELECT "id" FROM "DataVersion" WHERE "projectId" = project AND "kind" = what
     ORDER BY "id" LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    -- A project that is being deleted needs none.
    INSERT INTO "DataVersion" ("projectId", "kind")
    SELECT project, what WHERE EXISTS (SELECT FROM "Project" WHERE "id" = project);
  END IF;
  PERFORM set_config('sightline.raised', right(raised, 20000) || mark, true);
  PERFORM "announce"(jsonb_build_object('kind', 'changed', 'projectId', project));
END $$;

-- For tables with `projectId`: the kind is the argument of the trigger.
CREATE FUNCTION "raiseChanged"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "raiseVersion"(c."projectId", TG_ARGV[0])
     FROM (SELECT DISTINCT "projectId" FROM changed WHERE "projectId" IS NOT NULL) c;
  RETURN NULL;
END $$;

-- For tables whose rows belong to a row with `projectId`: its table and the column that names it are arguments too.
CREATE FUNCTION "raiseOfParent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT "raiseVersion"(p."projectId", $1) FROM (
    SELECT DISTINCT p."projectId" FROM changed c JOIN %I p ON p."id" = c.%I) p', TG_ARGV[1], TG_ARGV[2])
  USING TG_ARGV[0];
  RETURN NULL;
END $$;

-- For tables of a workspace: all its projects change.
CREATE FUNCTION "raiseOfWorkspace"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SELECT "raiseVersion"(p."id", $1) FROM (
    SELECT DISTINCT p."id" FROM changed c JOIN "Project" p ON p."workspaceId" = c.%I) p', TG_ARGV[1])
  USING TG_ARGV[0];
  RETURN NULL;
END $$;

CREATE FUNCTION "raiseProject"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  answers text[] := ARRAY['visibleLoad', 'deadLoads', 'analysis', 'dataAvailableFrom'];
  site text[] := ARRAY['sitemapStatus', 'sitemapJobId', 'sitemapRefreshedAt', 'sitemapError'];
  earlier jsonb := to_jsonb(OLD);
  later jsonb := to_jsonb(NEW);
BEGIN
  IF (earlier - answers - site - 'lastLoad') IS DISTINCT FROM (later - answers - site - 'lastLoad') THEN
    PERFORM "raiseVersion"(NEW."id", 'catalog');
  END IF;
  IF EXISTS (SELECT FROM unnest(answers) name WHERE earlier -> name IS DISTINCT FROM later -> name) THEN
    PERFORM "raiseVersion"(NEW."id", 'answers');
  END IF;
  IF EXISTS (SELECT FROM unnest(site) name WHERE earlier -> name IS DISTINCT FROM later -> name) THEN
    PERFORM "raiseVersion"(NEW."id", 'site');
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "raise" AFTER UPDATE ON "Project"
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "raiseProject"();

CREATE FUNCTION "dropVersions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "DataVersion" WHERE "projectId" = OLD."id";
  RETURN NULL;
END $$;

CREATE TRIGGER "dropVersions" AFTER DELETE ON "Project"
  FOR EACH ROW EXECUTE FUNCTION "dropVersions"();

-- Gives a table its three triggers. A migration that adds a table calls it too.
CREATE FUNCTION "raiseFor"(relation text, called text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER "raiseAdded" AFTER INSERT ON %I REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION %s', relation, called);
  EXECUTE format('CREATE TRIGGER "raiseUpdated" AFTER UPDATE ON %I REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION %s', relation, called);
  EXECUTE format('CREATE TRIGGER "raiseDeleted" AFTER DELETE ON %I REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION %s', relation, called);
END $$;

SELECT "raiseFor"(relation, format('"raiseChanged"(%L)', kind)) FROM (VALUES
  ('BrandAlias', 'catalog'), ('OwnDomain', 'catalog'), ('Competitor', 'catalog'), ('Topic', 'catalog'),
  ('Location', 'catalog'), ('Prompt', 'catalog'), ('PromptRevision', 'catalog'), ('AuditEntry', 'catalog'),
  ('Import', 'catalog'),
  ('ProjectModel', 'answers'),
  ('AccessLog', 'traffic'),
  ('Page', 'site'), ('SitemapUrl', 'site'), ('Audit', 'site'), ('Issue', 'site'), ('Opportunity', 'site'),
  ('Article', 'site'), ('Report', 'site'),
  ('Connection', 'integrations'), ('DomainAuthority', 'integrations')) AS tables (relation, kind);

SELECT "raiseFor"(relation, format('"raiseOfParent"(%L, %L, %L)', kind, parent, named)) FROM (VALUES
  ('CompetitorAlias', 'catalog', 'Competitor', 'competitorId'), ('PromptTopic', 'catalog', 'Prompt', 'promptId'),
  ('PromptLocation', 'catalog', 'Prompt', 'promptId'), ('AuditPage', 'site', 'Audit', 'auditId'),
  ('AuditText', 'site', 'Audit', 'auditId'), ('AuditTarget', 'site', 'Audit', 'auditId'),
  ('ImportedRecord', 'catalog', 'Import', 'importId'))
  AS tables (relation, kind, parent, named);

SELECT "raiseFor"(relation, format('"raiseOfWorkspace"(%L, %L)', 'catalog', named)) FROM (VALUES
  ('Workspace', 'id'), ('ReportBranding', 'workspaceId')) AS tables (relation, named);
