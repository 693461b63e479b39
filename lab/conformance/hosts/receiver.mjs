// The official 1.x client as a receiver: it runs what the server asks as tasks of its own, which the server looks at.
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const POLL = 200;
const FORM = { action: 'accept', content: { name: 'Ada' } };
const COMPLETION = { role: 'assistant', model: 'scripted', content: { type: 'text', text: 'a poem' } };

/** Counts what the server asks of it. */
class CountingStore extends InMemoryTaskStore {
  looks = 0;
  fetches = 0;

  getTask(...args) {
    this.looks++;
    return super.getTask(...args);
  }

  getTaskResult(...args) {
    this.fetches++;
    return super.getTaskResult(...args);
  }
}

/**
 * A session of a client that runs questions as tasks, which end after some time.
 *
 * @param takes how long an answer takes, in milliseconds
 */
export async function receiver(server, timeout, takes) {
  const store = new CountingStore();
  const asked = [];
  const capabilities = {
    elicitation: {},
    sampling: {},
    tasks: { cancel: {}, requests: { elicitation: { create: {} }, sampling: { createMessage: {} } } },
  };
  const client = new Client({ name: 'scripted-receiver', version: '1.0' }, { capabilities, taskStore: store });
  const answering = answer => async (request, extra) => {
    asked.push(request.params);
    if (!request.params.task) return answer;
    const task = await extra.taskStore.createTask({ ttl: extra.taskRequestedTtl, pollInterval: POLL });
    setTimeout(() => extra.taskStore.storeTaskResult(task.taskId, 'completed', answer), takes);
    return { task };
  };
  client.setRequestHandler(ElicitRequestSchema, answering(FORM));
  client.setRequestHandler(CreateMessageRequestSchema, answering(COMPLETION));
  const transport =
    server.transport === 'http'
      ? new StreamableHTTPClientTransport(server.url)
      : new StdioClientTransport({ command: server.command, args: server.args, stderr: server.log });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    tools: new Set(tools.map(tool => tool.name)),
    call: (name, args) => client.callTool({ name, arguments: args }, undefined, { timeout }),
    asked,
    store,
    close: () => client.close(),
  };
}
