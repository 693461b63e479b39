/** The helper for Node, against a server that answers as ScriptLanguageTest says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TaskError, task } from './longhaul.mjs'

test('arguments', () => {
  assert.deepEqual(task.arguments, { folder: 'a "b"\\\nü 😀', count: 3, kinds: ['txt'] })
  assert.equal(task.id, 'task-1')
})

test('what is told', () => {
  task.progress(1, 3, 'one "of"\nthree, ü')
  task.progress(2)
  task.status('reads\tthe texts')
  task.log('a line')
  task.log('careful \\', 'warning')
  task.partial('x'.repeat(5000))
  assert.throws(() => task.partial('ü'.repeat(1 << 19)), /1024 KiB/)
})

test('steps', async () => {
  const again = () => assert.fail('runs again')
  assert.equal(await task.step('load', () => 'three\nrows'), 'three\nrows')
  assert.equal(await task.step('load', again), 'three\nrows')
  assert.equal(await task.step('known', again), 'of an earlier attempt')
  assert.equal(await task.step('raced', async () => 'mine'), 'of another')
  assert.deepEqual(await task.step('json', () => ({ rows: [1, null] })), { rows: [1, null] })
  await assert.rejects(task.step('large', () => 'large'), error => {
    return error instanceof TaskError && error.message === 'too large'
  })
})

test('a step that fails is not recorded', async () => {
  await assert.rejects(task.step('broken', () => { throw new RangeError('broken') }), RangeError)
})

test('questions', async () => {
  assert.deepEqual(await task.ask('place', 'Where?', { city: 'string' }), { city: 'Graz' })
  assert.deepEqual(await task.ask('place', 'Where?', { city: 'string' }), { city: 'Graz' })
  assert.equal(await task.ask('other', 'Where else?', { city: 'string' }), null)
  assert.equal(await task.approve('Publish?'), true)
  assert.equal(await task.approve('Delete?'), false)
  assert.equal(await task.approve('Delete?', 'delete-it'), false)
  assert.equal(await task.askUrl('login', 'Log in', 'https://example.com/login'), true)
  assert.equal((await task.sample('title', { messages: [], maxTokens: 9 })).content.text, 'Words')
  assert.deepEqual(await task.roots(), [{ uri: 'file:///texts' }])
  await assert.rejects(task.ask('nobody', 'Who?', { name: 'string' }), /cannot be asked/)
})

test('children run side by side', async () => {
  const first = task.call('first', 'run_tests', { commit: 'ab12' })
  const second = task.call('second', 'run_tests')
  assert.deepEqual(await Promise.all([first.result(), second.result()]), [{ passed: 3 }, '3 passed'])
  assert.deepEqual(await task.call('first', 'run_tests').result(), { passed: 3 })
  await assert.rejects(task.call('broken', 'run_tests').result(), error => {
    return error instanceof TaskError && error.message === 'no tests' && error.task === 'child-broken'
  })
  await assert.rejects(task.call('gone', 'run_tests').result(), /was cancelled/)
})

test('no line has an illegal name', async () => {
  for (const name of ['', '.a', 'a/b', 'two words', 'ü', 'x'.repeat(65), 'a\n']) {
    await assert.rejects(task.step(name, () => 'value'), RangeError)
    await assert.rejects(task.ask(name, 'Where?', {}), RangeError)
    assert.throws(() => task.call(name, 'run_tests'), RangeError)
  }
})

test('the result grows', () => {
  task.file('a.txt')
  task.result({ words: '3' })
  task.file('out/*.png')
  assert.throws(() => task.result('3'), TypeError)
})
