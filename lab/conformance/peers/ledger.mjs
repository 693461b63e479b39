// A server of the 1.x line over HTTP, on the port that PORT names, for clients that are killed: each run of a charge is a line in
// the file that LEDGER names. A charge is a task; a replay is a quick call, and may be repeated.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';

const { LEDGER, PORT } = process.env;
const inputSchema = { label: z.string() };
const text = said => ({ content: [{ type: 'text', text: said }] });
const taskStore = new InMemoryTaskStore();
const sessions = new Map();

async function work(label, task, store) {
  appendFileSync(LEDGER, `charge ${label}\n`);
  await after(50 * Math.random());
  await store.storeTaskResult(task.taskId, 'completed', text(`charged ${label}`));
}

function ledger() {
  const server = new McpServer(
    { name: 'ledger', version: '1.0.0' },
    { capabilities: { tasks: { requests: { tools: { call: {} } } } }, taskStore },
  );
  server.experimental.tasks.registerToolTask('charge', { inputSchema }, {
    async createTask({ label }, { taskStore: store, taskRequestedTtl }) {
      const task = await store.createTask({ ttl: taskRequestedTtl, pollInterval: 200 });
      work(label, task, store).catch(error => console.error(error));
      return { task };
    },
    getTask: (_args, { taskId, taskStore: store }) => store.getTask(taskId),
    getTaskResult: (_args, { taskId, taskStore: store }) => store.getTaskResult(taskId),
  });
  server.registerTool('replay', { inputSchema, annotations: { idempotentHint: true } }, async ({ label }) => {
    await after(50 * Math.random());
    return text(`replayed ${label}`);
  });
  return server;
}

async function opened() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: id => sessions.set(id, transport),
  });
  await ledger().connect(transport);
  return transport;
}

createServer(async (request, response) => {
  const session = request.headers['mcp-session-id'];
  const transport = session ? sessions.get(session) : await opened();
  if (transport) {
    await transport.handleRequest(request, response);
  } else {
    response.writeHead(404).end();
  }
}).listen(PORT, '127.0.0.1', () => console.log('listening'));
