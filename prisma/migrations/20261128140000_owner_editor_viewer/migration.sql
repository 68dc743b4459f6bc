-- An admin of before keeps all work on data and setup; members and keys are for owners. A member of before could start
-- paid work, so the role that only reads would take that from them.
CREATE TYPE "RoleNow" AS ENUM ('owner', 'editor', 'viewer');

ALTER TABLE "Membership" ALTER COLUMN "role" DROP DEFAULT;
ALTER TABLE "Membership" ALTER COLUMN "role" TYPE "RoleNow"
  USING (CASE "role"::text WHEN 'owner' THEN 'owner' ELSE 'editor' END)::"RoleNow";
ALTER TABLE "Membership" ALTER COLUMN "role" SET DEFAULT 'viewer';

ALTER TABLE "Invitation" ALTER COLUMN "role" DROP DEFAULT;
ALTER TABLE "Invitation" ALTER COLUMN "role" TYPE "RoleNow"
  USING (CASE "role"::text WHEN 'owner' THEN 'owner' ELSE 'editor' END)::"RoleNow";
ALTER TABLE "Invitation" ALTER COLUMN "role" SET DEFAULT 'viewer';

DROP TYPE "Role";
ALTER TYPE "RoleNow" RENAME TO "Role";
