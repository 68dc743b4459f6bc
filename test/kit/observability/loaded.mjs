// Writes the modules that a process loads into a file of LOADED_DIR: preload it by NODE_OPTIONS.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'

const file = join(process.env.LOADED_DIR, String(process.pid))
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(file, `${url}\n`)
    return nextLoad(url, context)
  },
})
