/** Texts of the page that makes a project. */
export const newProject = {
  first: 'Name your brand',
  title: 'New project',
  link: 'New project',
  lead: (workspace: string) =>
    `Tell us which brand to look for in the answers of AI assistants. Workspace: ${workspace}.`,
  brand: 'Brand',
  domain: 'Domain of the brand',
  aliases: 'Other names of the brand',
  aliasesHint: 'Optional, one name per line: short forms, product names.',
  competitors: 'Competitors',
  competitorsHint: 'Optional. You can add more later in the settings.',
  competitor: (number: number) => `Competitor ${number}`,
  competitorDomain: (number: number) => `Domain of competitor ${number}`,
  more: 'Add another competitor',
  submit: 'Create project',
  back: 'Cancel',
  needsAdmin: 'A new project needs a key with the scope “admin” that is not bound to one project.',
} as const
