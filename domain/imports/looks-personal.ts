/** Whether a column is called as if it said something of people: nobody should publish it in passing. */
export const looksPersonal = (column: string): boolean =>
  /owner|tenant|resident|contact|person|taxpayer|phone|mobile|fax|e-?mail|mailing|birth|ssn|licen[cs]e/i.test(
    column,
  )
