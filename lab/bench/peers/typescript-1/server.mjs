// What the bench compares with: an echo, and the same word as a task of the SDK's own task store, in sessions.
// server.mjs http prints its address and ends with its input; server.mjs stdio speaks the protocol there.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const taskStore = new InMemoryTaskStore();
const input = { word: z.string() };
const result = word => ({ content: [{ type: 'text', text: word }] });

function server() {
  const made = new McpServer(
    { name: 'bench', version: '1' },
    { capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }, taskStore },
  );
  made.registerTool('echo', { description: 'Gives back a word.', inputSchema: input }, ({ word }) => result(word));
  made.experimental.tasks.registerToolTask(
    'instant',
    { description: 'Gives back a word, as a task that ends at once.', inputSchema: input },
    {
      async createTask({ word }, { taskStore, taskRequestedTtl }) {
        const task = await taskStore.createTask({ ttl: taskRequestedTtl });
        await taskStore.storeTaskResult(task.taskId, 'completed', result(word));
        return { task };
      },
      getTask: (_, { taskId, taskStore }) => taskStore.getTask(taskId),
      getTaskResult: (_, { taskId, taskStore }) => taskStore.getTaskResult(taskId),
    },
  );
  return made;
}

if (process.argv[2] === 'stdio') {
  await server().connect(new StdioServerTransport());
} else {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        enableJsonResponse: true,
        sessionIdGenerator: randomUUID,
        onsessioninitialized: id => sessions.set(id, transport),
      });
      await server().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
  process.stdin.on('end', () => process.exit()).resume();
}
