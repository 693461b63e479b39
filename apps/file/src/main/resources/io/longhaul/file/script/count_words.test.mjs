import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

let folder

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'texts-'))
  writeFileSync(join(folder, 'a.txt'), 'one two')
  writeFileSync(join(folder, 'b.txt'), 'three\n')
})

after(() => rmSync(folder, { recursive: true }))

/** Runs the script without a server. A line of standard input answers its question. */
function runDry(answer) {
  const line = ['count_words.mjs', `folder=${folder}`]
  return spawnSync(process.execPath, line, { input: answer + '\n', encoding: 'utf8' })
}

test('a yes counts the words of all texts', () => {
  const run = runDry('yes')
  assert.equal(run.status, 0, run.stderr)
  assert.deepEqual(JSON.parse(run.stdout), { result: { texts: 2, words: 3 } })
})

test('a no counts nothing', () => {
  const run = runDry('no')
  assert.equal(run.status, 1)
  assert.doesNotMatch(run.stderr, /step/)
})
