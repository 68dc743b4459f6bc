export const stagedLines = 'SELECT 1'
