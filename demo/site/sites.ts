import type { DataDir } from '../../cli/folder/data-dir.ts'
import { readDemo } from '../file.ts'
import { ownHost } from '../sources.ts'
import { ownBrand } from '../world.ts'

/**
 * Serves the site of the demonstration to the jobs of its project alone. Its id is in a file that only the owner of the
 * data folder writes. The server has the port for as long as the site is open, so jobs reach no other program.
 */
export function demoSites(dataDir: DataDir) {
  return async (projectId: string) => {
    // The start has warned of a damaged file: then no project is the demonstration's.
    const demo = await readDemo(dataDir).catch(() => undefined)
    if (demo?.projectId !== projectId) return null
    // Only the jobs of the demonstration need its pages.
    const { serveDemoSite } = await import('./serve.ts')
    const { port, close } = await serveDemoSite(demo.endDay)
    const target = { address: '127.0.0.1', port }
    return {
      domain: ownBrand.domain,
      hosts: [{ name: ownHost, port: 80, target }],
      close,
    }
  }
}
