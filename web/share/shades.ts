/** Percentages that the grounds of cells are this far apart by. */
const shadeStep = 5

/** All grounds that a cell may have. */
export const shades = Array.from({ length: 100 / shadeStep + 1 }, (_, at) => at * shadeStep)

/** The ground of a percentage. */
export const shadeOf = (percent: number): number => Math.round(percent / shadeStep) * shadeStep
