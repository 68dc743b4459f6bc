/** Statements of one transaction, in this order. `$1` is the project. */

/** The URLs of the new sitemap; the table ends with the transaction. */
export const beginSitemap = `
CREATE TEMP TABLE sitemap_read (
  url text PRIMARY KEY, host text, path text, "lastModified" timestamptz, id uuid, slug text, type text
) ON COMMIT DROP`

/** Adds the URLs of `$1`, a JSON array, without repeated ones. */
export const addSitemapUrls = `
INSERT INTO sitemap_read
SELECT * FROM jsonb_to_recordset($1::jsonb)
  AS g(url text, host text, path text, "lastModified" timestamptz, id uuid, slug text, type text)
    ON CONFLICT DO NOTHING`

export const dropOldUrls = `
DELETE FROM "SitemapUrl" s
 WHERE s."projectId" = $1::uuid AND NOT EXISTS (SELECT 1 FROM sitemap_read r WHERE r.url = s.url)`

/** Writes URLs that are new or have another time of modification, and counts them. */
export const putSitemapUrls = `
INSERT INTO "SitemapUrl" AS s ("projectId", url, host, path, "lastModified")
SELECT $1::uuid, url, host, path, "lastModified" FROM sitemap_read ORDER BY url
    ON CONFLICT ("projectId", url) DO UPDATE SET "lastModified" = EXCLUDED."lastModified"
 WHERE s."lastModified" IS DISTINCT FROM EXCLUDED."lastModified"`

/** An existing page stays unchanged. */
export const putSitemapPages = `
INSERT INTO "Page" (id, "projectId", url, slug, type, title, description, "updatedAt")
SELECT id, $1::uuid, url, slug, type, '', '', now() FROM sitemap_read ORDER BY url
    ON CONFLICT ("projectId", url) DO NOTHING`
