import type { Fields } from '#domain/definition/definition.ts'

export const monthLabels = {
  january: 'January',
  february: 'February',
  march: 'March',
  april: 'April',
  may: 'May',
  june: 'June',
  july: 'July',
  august: 'August',
  september: 'September',
  october: 'October',
  november: 'November',
  december: 'December',
} as const

export const maxMonths = 1_200

export const maintenancePlanParts = {
  task: {
    label: 'Plan',
    help: 'The task, such as ‘Yearly inspection’.',
    value: { type: 'line', maxLength: 200 },
    isShownIfKnown: true,
    isNamedOnly: true,
  },
  everyMonths: {
    label: 'Repeat every (months)',
    value: { type: 'count' },
    isShownIfKnown: true,
    isNamedOnly: true,
  },
  month: {
    label: 'Or yearly in',
    value: { type: 'choice', choices: monthLabels },
    nullMeans: 'No fixed month',
    isShownIfKnown: true,
    isNamedOnly: true,
  },
  firstDue: {
    label: 'First due',
    help: 'After that, due days count from the last maintenance done.',
    value: { type: 'day' },
    isShownIfKnown: true,
    isNamedOnly: true,
  },
} as const satisfies Fields
