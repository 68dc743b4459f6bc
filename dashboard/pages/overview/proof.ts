import { ProofDocument, type ProofQueryVariables } from '../../documents.ts'
import { notifyDone } from '../../parts/notify.ts'
import { saveFile } from '../../parts/save.ts'
import { ask } from '../../state/ask.ts'
import { proof as texts } from '../../texts/proof.ts'

/** Copies the proof of the headline numbers; saves it where the browser refuses the clipboard, as without HTTPS. */
export async function copyProof(variables: ProofQueryVariables): Promise<void> {
  const { project } = await ask(ProofDocument, variables)
  const file = project?.proof?.file
  if (file === undefined) return notifyDone(texts.none)
  try {
    await navigator.clipboard.writeText(file)
    notifyDone(texts.copied)
  } catch {
    saveFile('sightline proof', 'json', new Blob([file], { type: 'application/json' }))
    notifyDone(texts.saved)
  }
}
