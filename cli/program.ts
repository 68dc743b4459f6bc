import { Command, type Option } from 'commander'

declare module 'commander' {
  /** Methods that the types of commander leave out. */
  interface Command {
    unknownOption(flag: string): void
    unknownCommand(): void
  }
}

/** A command that names an unknown option before a missing one: the missing one may only be misspelled. */
export class Program extends Command {
  #unknown: readonly string[] = []

  override createCommand(name?: string): Program {
    return new Program(name)
  }

  override parseOptions(args: string[]) {
    const parsed = super.parseOptions(args)
    this.#unknown = parsed.unknown
    return parsed
  }

  /** Called by commander for a name that is no command. `report sources` may mean `source-domains`, which is too long for its own guess. */
  override unknownCommand(): void {
    const [name = ''] = this.args
    const stem = name.replace(/s$/, '')
    const near = this.commands.map((each) => each.name()).filter((each) => each.includes(stem))
    if (stem.length < 3 || near.length === 0) {
      super.unknownCommand()
    }
    this.error(
      `error: unknown command '${name}'\n(Did you mean ${near.length > 1 ? 'one of ' : ''}${near.join(', ')}?)`,
      { code: 'commander.unknownCommand' },
    )
  }

  /** Called by commander for each option that must be given and was not. */
  missingMandatoryOptionValue({ flags }: Option): void {
    const [flag] = this.#unknown
    if (flag?.startsWith('-')) this.unknownOption(flag)
    this.error(`error: required option '${flags}' not specified`)
  }
}
