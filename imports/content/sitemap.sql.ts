/** Statements of one session, in this order. `$1` is the project. */

/** The URLs of the new sitemap; the table ends with the session. */
export const beginSitemap = `
CREATE TEMP TABLE sitemap_read (
  url text PRIMARY KEY, address text, host text, path text, "lastModified" timestamptz, id uuid, slug text,
  type text
)`

/** Adds the URLs of `$1`, a JSON array, without repeated ones. */
export const addSitemapUrls = `
INSERT INTO sitemap_read
SELECT * FROM jsonb_to_recordset($1::jsonb)
  AS g(url text, address text, host text, path text, "lastModified" timestamptz, id uuid, slug text, type text)
    ON CONFLICT DO NOTHING`

/** Until the transaction ends: of two sitemaps at once, each would remove the URLs of the other. */
export const lockSitemap = `SELECT pg_advisory_xact_lock(hashtextextended('sitemap:' || $1::text, 0))`

/** Locks the project until the transaction ends. */
export const lockProject = `
SELECT "sitemapJobId" AS "jobId" FROM "Project" WHERE id = $1::uuid FOR NO KEY UPDATE`

export const dropOldUrls = `
DELETE FROM "SitemapUrl" s
 WHERE s."projectId" = $1::uuid AND NOT EXISTS (SELECT 1 FROM sitemap_read r WHERE r.url = s.url)`

/** Writes URLs that are new, or have another spelling or time of modification, and counts them. */
export const putSitemapUrls = `
INSERT INTO "SitemapUrl" AS s ("projectId", url, address, host, path, "lastModified")
SELECT $1::uuid, url, address, host, path, "lastModified" FROM sitemap_read ORDER BY url
    ON CONFLICT ("projectId", url) DO UPDATE
   SET address = EXCLUDED.address, "lastModified" = EXCLUDED."lastModified"
 WHERE s."lastModified" IS DISTINCT FROM EXCLUDED."lastModified"
    OR s.address IS DISTINCT FROM EXCLUDED.address`

/** An existing page changes its spelling alone. `$2` is the import, null for a refresh. */
export const putSitemapPages = `
INSERT INTO "Page" AS p (id, "projectId", "importId", url, address, slug, type, title, description, "updatedAt")
SELECT id, $1::uuid, $2::uuid, url, address, slug, type, '', '', now() FROM sitemap_read ORDER BY url
    ON CONFLICT ("projectId", url) DO UPDATE SET address = EXCLUDED.address
 WHERE p.address IS DISTINCT FROM EXCLUDED.address`

/** `$2` is the refresh that read the sitemap, or null for an import by hand; `$3` what it had to leave out, or null. */
export const endSitemap = `
UPDATE "Project"
   SET "sitemapStatus" = 'idle', "sitemapJobId" = $2::uuid, "sitemapRefreshedAt" = now(), "sitemapError" = $3
 WHERE id = $1::uuid`
