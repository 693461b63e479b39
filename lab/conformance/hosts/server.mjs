// The server of these checks, as a process of its own over HTTP, or as the command that a client starts over stdio.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const COMMAND = fileURLToPath(new URL('../server', import.meta.url));
export const OUT = fileURLToPath(new URL('../target/hosts', import.meta.url));

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });

/** @param hold how long calls are held open, in seconds */
export class Server {
  constructor(transport, hold) {
    this.transport = transport;
    this.data = mkdtempSync(join(OUT, `${transport}-`));
    this.command = COMMAND;
    this.args = ['hosts', this.data, String(hold), transport];
    this.log = openSync(join(this.data, 'server.log'), 'a');
  }

  /** Over stdio each client starts the server itself. */
  async start() {
    if (this.transport === 'stdio') return this;
    this.process = spawn(this.command, this.args, { stdio: ['ignore', 'pipe', this.log] });
    process.once('exit', () => this.process.kill());
    for await (const line of createInterface({ input: this.process.stdout })) {
      const said = /^listening on (\S+)/.exec(line);
      if (said) {
        this.url = new URL(said[1]);
        return this;
      }
    }
    throw new Error(`the server did not start:\n${readFileSync(join(this.data, 'server.log'), 'utf8')}`);
  }

  /** Ends the process that serves a session, as a crash ends it. */
  async kill(session) {
    if (this.transport === 'stdio') {
      process.kill(session.pid(), 'SIGKILL');
    } else {
      await this.end('SIGKILL');
    }
  }

  async end(signal = 'SIGTERM') {
    if (!this.process || this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise(done => this.process.once('exit', done));
    this.process.kill(signal);
    await ended;
  }

  /** What the runs with that label left: {begun, ended, stopped, tasks}. */
  runs(label) {
    const file = join(this.data, 'runs.txt');
    const lines = (existsSync(file) ? readFileSync(file, 'utf8') : '')
      .split('\n')
      .map(line => line.split(' '))
      .filter(([, of]) => of === label);
    const count = what => lines.filter(([word]) => word === what).length;
    return {
      begun: count('begun'),
      ended: count('ended'),
      stopped: count('stopped'),
      tasks: new Set(lines.map(([, , task]) => task)).size,
    };
  }
}
