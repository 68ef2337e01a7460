// What this command is called where it was started: hints are there to be typed as they stand. npm tells whatever it starts
// which of its own commands did so.

export const self: string = process.env.npm_command === undefined ? 'millrace' : 'npx millrace'

/** A line that begins with, or asks for, `millrace …`, as it has to be typed here. */
export function asTyped(line: string): string {
  return line.replaceAll(/(?<![\w/.-])millrace (?=[a-z])/g, `${self} `)
}
