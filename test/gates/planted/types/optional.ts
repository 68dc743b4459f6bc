interface Page {
  limit?: number
}

export const page: Page = { limit: undefined }
