import { appendFileSync, writeFileSync } from 'node:fs'
import { task } from './longhaul.mjs'

const ledger = (...words) => appendFileSync('ledger', words.join(' ') + '\n')

const step = async (name, value) => {
  const recorded = await task.step(name, () => {
    ledger('doing', name)
    return value
  })
  ledger('recorded', name)
  return recorded
}

const rows = await step('load', 7)
const greeting = task.call('greet', 'greet', { name: 'Ada' })
const who = (await task.ask('who', 'Who?', { name: 'string' })).name
task.partial('half')
const pages = await step('write', 2)
writeFileSync('page.txt', 'page')
await task.approve('Publish?')
const copies = await step('publish', 1)
task.file('page.txt')
task.result({ rows, who, greeting: (await greeting.result()).trim(), sum: pages + copies })
