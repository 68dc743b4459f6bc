import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { TooLarge, type Uploaded, uploadAnswers } from '../../state/upload.ts'
import { t } from '../../texts/texts.ts'

const mostLines = 50

function Lines({ title, lines }: { readonly title: string; readonly lines: Uploaded['rejected'] }) {
  if (lines.length === 0) return null
  const shown = lines.slice(0, mostLines)
  return (
    <>
      <h3>{title}</h3>
      <p className="lead">{t.imports.lines(shown.length, lines.length)}</p>
      <ul>
        {shown.map(({ line, reason }) => (
          <li key={`${line} ${reason}`}>{t.imports.line(line, reason)}</li>
        ))}
      </ul>
    </>
  )
}

/** A form that imports a file of answers, and says what came of it. */
export function Upload({ project }: { readonly project: string }) {
  const client = useQueryClient()
  const id = useId()
  const running = useRef<AbortController>(undefined)
  const [size, setSize] = useState<number>()
  const [done, setDone] = useState<Uploaded>()
  const [fault, setFault] = useState<string>()
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const file = new FormData(event.currentTarget).get('file')
    if (!(file instanceof File)) return
    const stop = new AbortController()
    const { signal } = stop
    running.current = stop
    setSize(file.size)
    setDone(undefined)
    setFault(undefined)
    try {
      await uploadAnswers(project, file, setDone, signal)
    } catch (error) {
      if (signal.aborted) setFault(t.imports.stopped)
      else
        setFault(error instanceof TooLarge ? t.imports.tooLarge : String((error as Error).message))
    } finally {
      setSize(undefined)
      void client.invalidateQueries()
    }
  }
  const isBusy = size !== undefined
  return (
    <section className="part">
      <h2>{t.imports.upload}</h2>
      <p className="lead" id={`${id}h`}>
        {t.imports.uploadLead}
      </p>
      <form className="line" onSubmit={submit}>
        <label htmlFor={id}>{t.imports.file}</label>
        <input id={id} name="file" type="file" required aria-describedby={`${id}h`} />
        <button type="submit" disabled={isBusy}>
          {t.imports.submit}
        </button>
        {isBusy && (
          <button type="button" onClick={() => running.current?.abort()}>
            {t.imports.stop}
          </button>
        )}
      </form>
      <div role="status">
        {isBusy && <p>{t.imports.sending(done?.sent ?? 0, done ? size : 0)}</p>}
        {done && <p>{t.imports.result(done.read, done.loaded, done.skipped)}</p>}
      </div>
      {fault && (
        <p className="note" role="alert">
          {fault}
        </p>
      )}
      {done && <Lines title={t.imports.rejected} lines={done.rejected} />}
      {done && <Lines title={t.imports.leftOut} lines={done.leftOut} />}
    </section>
  )
}
