import { NamesDocument } from '../../documents.ts'
import type { PageProps } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { useQuestion } from '../../state/ask.ts'
import { Competitors, Names } from './names.tsx'
import { NewPrompts, Places, Topics } from './scope.tsx'
import { WorkspaceParts } from './workspace.tsx'

/** Who are we, and who may change it? Names, competitors, topics, places, prompts, and the workspace. */
export function Settings({ project }: PageProps) {
  const variables = { project: project.id }
  const asked = { document: NamesDocument, variables }
  const query = useQuestion(NamesDocument, variables)
  return (
    <Answered query={query}>
      {({ project: found }) =>
        found && (
          <>
            <Names project={project.id} found={found} asked={asked} />
            <Competitors project={project.id} found={found} asked={asked} />
            <NewPrompts project={project.id} />
            <Topics project={project.id} found={found} asked={asked} />
            <Places project={project.id} found={found} asked={asked} />
            {/* Below what is there already, so that nothing moves. */}
            <WorkspaceParts project={project.id} />
          </>
        )
      }
    </Answered>
  )
}
