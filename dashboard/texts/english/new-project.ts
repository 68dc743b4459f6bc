/** Texts of the page that makes a project. */
export const newProject = {
  first: 'Name your brand',
  title: 'New project',
  link: 'New project',
  lead: (workspace: string) =>
    `Sightline counts how often AI assistants name the brand. The project goes into the workspace “${workspace}”.`,
  brand: 'Brand',
  domain: 'Domain of the brand',
  aliases: 'Other names of the brand',
  aliasesHint: 'Optional, one name a line. Short forms and names of products count too.',
  competitors: 'Competitors',
  competitorsHint: 'Optional. The settings take more at any time.',
  competitor: (number: number) => `Competitor ${number}`,
  competitorDomain: (number: number) => `Domain of competitor ${number}`,
  more: 'Another competitor',
  submit: 'Create the project',
  back: 'Back, without a new project',
  needsAdmin: 'A new project needs a key with the scope “admin” that is not bound to one project.',
} as const
