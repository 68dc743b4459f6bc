/** Problems of `/graphql` alone. The REST contract is frozen and has none of these codes. */
export const graphProblems = {
  unknown_document: {
    status: 404,
    title: 'No listed document has this id',
    when: 'The request names a persisted document by its hash, and no listed document has the hash.',
    howToFix:
      'Send the document in `query`, or list the document in the file of `PERSISTED_DOCUMENTS` and restart the API.',
  },
  document_not_listed: {
    status: 403,
    title: 'The document is not listed',
    when: 'The service runs listed documents only, and the document of the request is not listed.',
    howToFix:
      'Send a listed document. The operator lists documents in the file of `PERSISTED_DOCUMENTS`.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many live streams',
    when: 'The key has 20 live streams open at this API.',
    howToFix: 'End a stream, or share one between readers. Then subscribe again.',
    retryable: true,
  },
  query_too_costly: {
    status: 400,
    title: 'The document costs too much',
    when: 'The document costs more than `maxCost`. `cost` is its cost, which is known before it runs. `cheaper` names the list that counts most: its `path`, and the `value` of its `argument` with which the document would pass for `cost`. Without such a list it is absent.',
    howToFix: 'Ask for fewer rows, a shorter window or fewer reports, or ask in several requests.',
  },
  change_not_approved: {
    status: 409,
    title: 'Nobody has approved the planned change',
    when: 'The planned change is applied before a person has approved it.',
    howToFix: 'Ask the person to approve it at the link of the plan. Then apply it.',
  },
  change_over: {
    status: 409,
    title: 'The planned change has expired or was refused',
    when: 'The planned change is older than 10 minutes, or a person has refused it.',
    howToFix: 'Plan the change again, if the person wants it.',
  },
  change_stale: {
    status: 409,
    title: 'The project has changed since the change was planned',
    when: 'Applied now, the planned change would do something else than its plan says. Nothing was changed.',
    howToFix: 'Plan the change again, and show the person what it does now.',
  },
} as const
