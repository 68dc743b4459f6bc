import { z } from 'zod'
import type { ProviderReply } from '../reply.ts'
import { brightdata } from './brightdata.ts'
import { cloro } from './cloro.ts'
import { scraper } from './dataforseo.ts'
import { type ServiceName, type SurfaceName, serviceNames, surfaceNames } from './names.ts'
import { olostep } from './olostep.ts'
import { oxylabs } from './oxylabs.ts'
import type { AskedSurface, TaskService } from './service.ts'

export const services: Readonly<Record<ServiceName, TaskService>> = {
  cloro,
  brightdata,
  oxylabs,
  olostep,
  dataforseo_scraper: scraper,
}

/** The surfaces of a service, in the order of all surfaces. */
export const surfacesOf = (service: ServiceName): readonly SurfaceName[] =>
  surfaceNames.filter((name) => services[service].units[name] !== undefined)

/** What is stored of a task: the body as the service sent it, and what it answers, which the body may not say. */
const keptBody = z.object({
  surface: z.object({
    service: z.enum(serviceNames),
    name: z.enum(surfaceNames),
    prompt: z.string(),
  }),
  body: z.unknown(),
})

export const keepTask = (
  service: ServiceName,
  { surface: name, prompt }: AskedSurface,
  raw: string,
): string => `{"surface":${JSON.stringify({ service, name, prompt })},"body":${raw}}`

/** Reads what is stored of a task; null for anything else. */
export function readTask(kept: unknown): ProviderReply | null {
  const found = keptBody.safeParse(kept).data
  if (!found) return null
  const { service, name: surface, prompt } = found.surface
  return services[service].read(found.body, { surface, prompt })
}
