export const importPrompts = 1
