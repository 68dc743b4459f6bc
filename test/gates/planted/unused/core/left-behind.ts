export const nobody = 'imports this file'
