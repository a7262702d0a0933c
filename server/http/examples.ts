import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

const folder = new URL('../../docs/examples/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8')

const languages: Record<string, string> = {
  '.csv': 'csv',
  '.mjs': 'js',
  '.py': 'python',
  '.R': 'r',
  '.sh': 'sh',
}

export function examplesAsMarkdown(): string {
  return read('README.md').replaceAll(/^- \[(.+)\]\((\S+)\)$/gm, (_, name: string, path: string) => {
    const code = `\`\`\`${languages[extname(path)]}\n${read(path)}\`\`\``
    return `<details>\n<summary>${name}</summary>\n\n${code}\n\n</details>`
  })
}
