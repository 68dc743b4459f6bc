-- The processes of the API remember keys, memberships and projects. These notices name what they must read again, beside
-- those that live events need: access that is given, and the plan of a workspace. `resolvers/keys/remembered.ts` reads them.

CREATE FUNCTION "announceAdmitted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'access', 'userId', NEW."userId"));
  RETURN NULL;
END $$;

CREATE TRIGGER "announceAdded" AFTER INSERT ON "Membership"
  FOR EACH ROW EXECUTE FUNCTION "announceAdmitted"();

CREATE FUNCTION "announceUnblocked"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'access', 'keyId', OLD."apiKeyId"));
  RETURN NULL;
END $$;

CREATE TRIGGER "announceDeleted" AFTER DELETE ON "KeyBlock"
  FOR EACH ROW EXECUTE FUNCTION "announceUnblocked"();

-- A workspace's plan is part of each of its projects.
CREATE FUNCTION "announceWorkspace"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "announce"(jsonb_build_object('kind', 'access', 'workspaceId', NEW."id"));
  RETURN NULL;
END $$;

CREATE TRIGGER "announce" AFTER UPDATE ON "Workspace"
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "announceWorkspace"();
