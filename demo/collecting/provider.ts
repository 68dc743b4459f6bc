import type { DataDir } from '../../cli/folder/data-dir.ts'
import { readDemo } from '../file.ts'
import { providerHost } from './world.ts'

/**
 * Serves the invented provider to the runs of the demonstration's projects alone. Their ids are in a file that only the
 * owner of the data folder writes. The server has the port for as long as the run asks, so runs reach no other program.
 */
export function demoProvider(dataDir: DataDir) {
  return async ({ id, projectId }: { readonly id: string; readonly projectId: string }) => {
    // The start has warned of a damaged file: then no project is the demonstration's.
    const demo = await readDemo(dataDir).catch(() => undefined)
    if (!demo || ![demo.projectId, demo.askingProjectId].includes(projectId)) return null
    // Only the runs of the demonstration need its assistants.
    const { serveAssistants } = await import('./serve.ts')
    const { port, close } = await serveAssistants(id)
    const target = { address: '127.0.0.1', port }
    return { hosts: [{ name: providerHost, port: 80, target }], close }
  }
}
