import type { Command } from 'commander'
import { commandGroup } from '../../options.ts'
import { addSiteAudit } from './audit.ts'
import { addSiteIssues } from './issues.ts'
import { addSitemap } from './sitemap.ts'

/** Work of the worker on the site of a project, and its findings. */
export function addSite(program: Command): void {
  const site = commandGroup(
    program,
    'site',
    'read and audit the site of a project',
    'site audit --project 8c1e…',
  )
  addSiteAudit(site)
  addSiteIssues(site)
  addSitemap(site)
}
