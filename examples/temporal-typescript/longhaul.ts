// SPDX-License-Identifier: Apache-2.0
import { ApplicationFailure, condition, defineQuery, defineSignal, setHandler } from '@temporalio/workflow'

type Known = { logs?: number, parts?: number }
type Line = { n: number, level: string, text: string }
type Part = { n: number, text: string }
type Question = { id: string, message: string, schema: object }
type Given = { id: string, answer?: Answer, error?: string }

/** What the caller has said; content has the fields of the schema where the action is accept. */
export type Answer = { action: 'accept' | 'decline' | 'cancel', content?: Record<string, unknown> }

const MOST_LINES = 1_000
const LOOK_LENGTH = 256 * 1024

/** Tells the task of a workflow what goes on, and asks its caller. Create one before all other code of a workflow. */
export class Longhaul {
  private readonly lines: Line[] = []
  private readonly parts: Part[] = []
  private readonly questions = new Map<string, Question>()
  private readonly answers = new Map<string, Given>()
  private readonly used = new Set<string>()
  private done: object | undefined
  private message: string | undefined
  private logged = 0

  constructor() {
    setHandler(defineQuery<object, [Known]>('longhaul_look'), known => this.look(known))
    setHandler(defineSignal<[Given]>('longhaul_answer'), given => {
      if (!this.answers.has(given.id)) {
        this.answers.set(given.id, given)
      }
    })
  }

  progress(current: number, total: number, message: string): void {
    this.done = { current, total, message }
  }

  status(text: string): void {
    this.message = text
  }

  /** The last 1,000 lines are kept until the task has them. */
  log(text: string, level = 'info'): void {
    this.lines.push({ n: ++this.logged, level, text })
    if (this.lines.length > MOST_LINES) {
      this.lines.shift()
    }
  }

  /** Gives the caller a piece of the output now. */
  partial(text: string): void {
    this.parts.push({ n: this.parts.length + 1, text })
  }

  /** Waits for the answer of the caller; throws where nobody can be asked. */
  async ask(name: string, message: string, properties: object = {}): Promise<Answer> {
    const id = this.unique(name)
    this.questions.set(id, { id, message, schema: { type: 'object', properties } })
    try {
      await condition(() => this.answers.has(id))
    } finally {
      this.questions.delete(id)
    }
    const given = this.answers.get(id)
    if (given?.error !== undefined) {
      throw ApplicationFailure.nonRetryable(given.error, 'longhaul')
    }
    return given?.answer ?? { action: 'cancel' }
  }

  async approve(message: string, name = 'approve'): Promise<boolean> {
    return (await this.ask(name, message)).action === 'accept'
  }

  private unique(name: string): string {
    let id = name
    for (let number = 2; this.used.has(id); number++) {
      id = `${name}-${number}`
    }
    this.used.add(id)
    return id
  }

  private look(known: Known): object {
    let room = LOOK_LENGTH
    const unknown = <T extends Line | Part>(all: T[], last = 0): T[] =>
      all.filter(one => {
        const isTaken = one.n > last && room > 0
        room -= isTaken ? one.text.length + 1 : 0
        return isTaken
      })
    const logs = unknown(this.lines, known.logs)
    const parts = unknown(this.parts, known.parts)
    return { progress: this.done, message: this.message, logs, parts, questions: [...this.questions.values()], more: room <= 0 }
  }
}
