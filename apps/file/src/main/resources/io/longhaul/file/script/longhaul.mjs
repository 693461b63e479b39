// SPDX-License-Identifier: Apache-2.0
/**
 * What a command in Node 20+ can do as a task of Longhaul: lines of version 1, see docs/COMMANDS.md.
 *
 *     import { task } from './longhaul.mjs'
 *
 *     const rows = await task.step('load', () => load(task.arguments.folder)) // once, also across a crash
 *     if (await task.approve('Publish?')) task.result({ rows })
 *
 * Without Longhaul, a script runs dry: its arguments are the words key=value of the command line, the lines that it
 * says are shown, and each question takes a line of standard input: yes, no, or the fields of a form as a JSON object.
 */
import { createHash } from 'node:crypto'
import { constants, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pauseFor } from 'node:timers/promises'

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/
const SUSPENDED = 75
const LONGEST = 1 << 20
const LONGEST_OF_OUTPUT = 1 << 17
const TERMINATED = 128 + 15

/** The server refused a line, nobody could be asked, or a child failed. `task` is the id of the child. */
export class TaskError extends Error {
  /** @param {string} message @param {string} [task] */
  constructor(message, task) {
    super(message)
    this.name = 'TaskError'
    this.task = task
    if (!process.listenerCount('uncaughtException')) process.once('uncaughtException', tell)
  }
}

/** The call was cancelled or took too long. Clean up, and let it through: the process is killed soon. */
export class Cancelled extends Error {
  constructor() {
    super('the call was cancelled, or took too long')
    this.name = 'Cancelled'
  }
}

/** The task that runs this process. Each name and key is unique in the task, and the same in each attempt. */
class Task {
  #folder
  #file
  #prefix
  #isDry
  #patience
  #arguments
  #dry = new Map()
  #result = {}
  #steps = 0
  #waits = 0
  #cancel = new AbortController()
  #isSignalTaken = false

  /** @param {Record<string, string | undefined>} env */
  constructor(env) {
    /** @type {string | undefined} */
    this.id = env.LONGHAUL_TASK
    this.#folder = env.LONGHAUL_TASK_DIR
    this.#file = env.LONGHAUL_SAY
    this.#prefix = env.LONGHAUL_SAY_PREFIX
    this.#isDry = !this.#file && !this.#prefix
    this.#patience = 1000 * Number(env.LONGHAUL_SUSPEND_AFTER || 'Infinity')
    if (!this.#isDry) process.once('SIGTERM', () => this.#end())
  }

  /** The arguments of the call. @returns {Record<string, any>} */
  get arguments() {
    this.#arguments ??= this.#isDry
      ? Object.fromEntries(process.argv.slice(2).map(word => word.match(/^(.*?)=(.*)$/s)).filter(Boolean)
          .map(([, key, text]) => [key, valueOf(text)]))
      : JSON.parse(readFileSync(join(this.#folder, 'arguments.json'), 'utf8'))
    return this.#arguments
  }

  /** Aborts when the call is cancelled. A script that reads it ends by itself; any other ends at once. */
  get signal() {
    this.#isSignalTaken = true
    return this.#cancel.signal
  }

  /** @param {number} done @param {number} [total] @param {string} [message] */
  progress(done, total, message) {
    this.#say({ progress: done, total: total ?? undefined, message: message ?? undefined })
  }

  /** Says in a sentence what goes on now. @param {string} text */
  status(text) {
    this.#say({ status: text })
  }

  /**
   * Adds to the log of the task.
   * @param {string} text
   * @param {'debug'|'info'|'notice'|'warning'|'error'|'critical'|'alert'|'emergency'} [level]
   */
  log(text, level = 'info') {
    this.#say({ log: text, level })
  }

  /** Gives a piece of the output to the caller now: a text, or any JSON. @param {any} value */
  partial(value) {
    this.#say({ partial: value ?? null })
  }

  /**
   * The value of the function, as JSON. A later attempt takes the recorded value and does not run it again.
   * @template T
   * @param {string} name
   * @param {() => T | Promise<T>} run
   * @returns {Promise<T>}
   */
  async step(name, run) {
    let found = this.#found('steps', name)
    if (found === undefined) {
      this.#steps++
      let value
      try {
        value = await run()
      } finally {
        this.#steps--
      }
      found = await this.#get('steps', name, { step: name, value: value ?? null })
    }
    return unlessError(found).value
  }

  /**
   * The fields that the caller filled in; null where the caller declines.
   * @param {string} key
   * @param {string} message
   * @param {Record<string, any>} fields written as in the file of tools
   * @returns {Promise<Record<string, any> | null>}
   */
  async ask(key, message, fields) {
    return this.#accepted({ ask: key, message, fields })
  }

  /**
   * Whether the caller says yes. The same message is one question, unless the keys differ.
   * @param {string} message
   * @param {string} [key]
   */
  async approve(message, key = 'approve-' + createHash('sha256').update(message).digest('hex').slice(0, 16)) {
    return (await this.#accepted({ ask: key, message })) !== null
  }

  /** Whether the caller agrees to open the address. @param {string} key @param {string} message @param {string} url */
  async askUrl(key, message, url) {
    return (await this.#accepted({ ask: key, url, message })) !== null
  }

  /** Has the caller's model answer: the result of sampling/createMessage. @param {string} key @param {object} params */
  async sample(key, params) {
    return this.#answer({ ask: key, sample: params })
  }

  /** The folders of the caller. @param {string} [key] @returns {Promise<{uri: string, name?: string}[]>} */
  async roots(key = 'roots') {
    return (await this.#answer({ ask: key, roots: true })).roots
  }

  /**
   * Starts a tool of this server as a child of this task. Several run side by side. `result()` waits for the end: the
   * structured content of the child, else its text; it throws a TaskError where the child failed.
   * @param {string} name
   * @param {string} tool
   * @param {Record<string, any>} [args]
   * @returns {{result: () => Promise<any>}}
   */
  call(name, tool, args = {}) {
    if (this.#found('children', name) === undefined) this.#say({ call: name, tool, arguments: args })
    return { result: async () => resultOf(unlessError(await this.#wait('children', name))) }
  }

  /**
   * The result, where the command ends with success.
   * @param {Record<string, any>} [value]
   * @param {{content?: object[], files?: string[]}} [more] items of content, paths below the working folder
   */
  result(value, { content, files = [] } = {}) {
    if (value !== undefined && (value === null || typeof value !== 'object' || Array.isArray(value))) {
      throw new TypeError('a result is an object')
    }
    if (value !== undefined) this.#result.result = value
    if (content !== undefined) this.#result.content = content
    if (files.length) this.#result.files = [...(this.#result.files ?? []), ...files]
    this.#say(this.#result)
  }

  /** Adds a file to the result. @param {string} path */
  file(path) {
    this.result(undefined, { files: [path] })
  }

  /** Ends the process; the caller's model reads the text. @param {string} text @returns {never} */
  fail(text) {
    this.#say({ fail: text })
    process.exit(1)
  }

  #end() {
    if (!this.#waits && !this.#isSignalTaken) process.exit(TERMINATED)
    process.on('SIGTERM', () => {})
    process.once('uncaughtException', error => {
      if (!(error instanceof Cancelled)) console.error(error)
      process.exit(TERMINATED)
    })
    this.#cancel.abort(new Cancelled())
  }

  async #accepted(line) {
    const answer = await this.#answer(line)
    return answer.action === 'accept' ? answer.content ?? {} : null
  }

  async #answer(line) {
    return unlessError(await this.#get('answers', line.ask, line, this.#patience))
  }

  async #get(folder, name, line, patience = Infinity) {
    const found = this.#found(folder, name)
    if (found !== undefined) return found
    this.#say(line)
    return this.#wait(folder, name, patience)
  }

  async #wait(folder, name, patience = Infinity) {
    const end = performance.now() + patience
    this.#waits++
    try {
      for (let pause = 5; ; pause = Math.min(pause * 1.5, 200)) {
        this.#cancel.signal.throwIfAborted()
        const found = this.#found(folder, name)
        if (found !== undefined) return found
        // The server starts the command again when the answer has come.
        if (performance.now() >= end && !this.#steps) process.exit(SUSPENDED)
        await pauseFor(pause, undefined, { signal: this.#cancel.signal }).catch(() => {})
      }
    } finally {
      this.#waits--
    }
  }

  #found(folder, name) {
    if (!NAME.test(name)) throw new RangeError(`${name} is no name: use up to 64 letters, digits, dots, _ and -`)
    if (this.#isDry) return this.#dry.get(folder + '/' + name)
    try {
      return JSON.parse(readFileSync(join(this.#folder, folder, name + '.json'), 'utf8'))
    } catch (error) {
      if (error.code === 'ENOENT') return undefined
      throw error
    }
  }

  #say(line) {
    const text = JSON.stringify(line) + '\n'
    const said = Buffer.from(this.#prefix ? `${this.#prefix} ${text}` : text)
    const longest = this.#prefix ? LONGEST_OF_OUTPUT : LONGEST
    if (said.length > longest) throw new RangeError(`a line has ${longest / 1024} KiB at most: keep large values in files`)
    if (this.#isDry) this.#runDry(JSON.parse(text), text)
    else if (this.#prefix) writeOut(said)
    else writeFileSync(this.#file, said, { flag: constants.O_WRONLY | constants.O_APPEND })
  }

  /** Shows a line, and answers it in place of a server. */
  #runDry(line, text) {
    const [kind, name] = Object.entries(line)[0]
    writeFileSync(['result', 'content', 'files'].includes(kind) ? 1 : 2, text)
    if (kind === 'step') {
      this.#dry.set('steps/' + name, { value: line.value })
    } else if (kind === 'ask' && 'message' in line) {
      const typed = valueOf(lineOfInput())
      const isForm = typeof typed === 'object' && typed !== null
      const action = isForm || typed === 'yes' || typed === 'y' ? 'accept' : 'decline'
      this.#dry.set('answers/' + name, { action, content: isForm ? typed : {} })
    } else if (kind === 'ask' || kind === 'call') {
      const message = `there is no server to ${kind}; see longhaul serve`
      this.#dry.set((kind === 'ask' ? 'answers/' : 'children/') + name, { error: { message } })
    }
  }
}

/** Tells a TaskError that nothing has caught in a line: it is of the call, not of the script. */
function tell(error) {
  if (process.listenerCount('uncaughtException')) return
  console.error(error instanceof TaskError ? `longhaul.mjs: ${error.message}` : error)
  process.exit(1)
}

function unlessError(found) {
  if (found.error) throw new TaskError(found.error.message, found.task)
  return found
}

function resultOf({ task, result }) {
  const text = (result.content ?? []).filter(item => item.type === 'text').map(item => item.text).join('\n')
  if (result.isError) throw new TaskError(text, task)
  return result.structuredContent ?? text
}

/** Writes all of it, also where Node has made a full pipe refuse what it cannot take. */
function writeOut(bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

function valueOf(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function lineOfInput() {
  const bytes = []
  const byte = Buffer.alloc(1)
  while (readSync(0, byte) && byte[0] !== 10) bytes.push(byte[0])
  return Buffer.from(bytes).toString().trim()
}

export const task = new Task(process.env)
