import type { Command } from 'commander'

/** Parameters whose option has another name. */
const renamed: Readonly<Record<string, string>> = {
  reportType: 'type',
  promptIds: 'prompt',
  topicIds: 'topic',
  locationIds: 'location',
  keys: 'provider',
}

/** The names that an option of a parameter may have: options that repeat are named in the singular. */
const spellings = (name: string) => [name, name.replace(/s$/, ''), renamed[name]]

/**
 * The message of an error in the words of a command: the parameter `scopes.0` of the API is the option `--scope`. Names
 * without an option stay, and so do values.
 */
export function inOptionNames(message: string, { options }: Command): string {
  const [said = '', ...values] = message.split('; got ')
  const words = said.replaceAll(/`([a-z][A-Za-z]*)(?:\.\d+)?`/g, (whole, name: string) => {
    const option = options.find((each) => spellings(name).includes(each.attributeName()))
    return option?.long ? `\`${option.long}\`` : whole
  })
  return [words, ...values].join('; got ')
}
