import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { task } from './longhaul.mjs'

const count = text => readFileSync(text, 'utf8').split(/\s+/).filter(Boolean).length

const folder = task.arguments.folder
const texts = readdirSync(folder).filter(name => name.endsWith('.txt')).sort()
if (!(await task.approve(`Count the words of ${texts.length} texts?`))) task.fail('The caller wants no count.')
let words = 0
for (const [done, name] of texts.entries()) {
  task.progress(done, texts.length, name)
  words += await task.step(`count-${done}`, () => count(join(folder, name)))
}
task.result({ texts: texts.length, words })
