export const page = '<p>Hello</p>'
