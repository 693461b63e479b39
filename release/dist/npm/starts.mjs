// Prints how long commands take from their starts to the answer of `initialize` over stdio: medians of starts in turn, of
// which the first counts for nothing. Each command runs in its folder, such as
// node starts.mjs COUNT "FOLDER: bin/longhaul serve --stdio a.yaml" "FOLDER: npx -y longhaul serve --stdio a.yaml"
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const [count, ...ways] = process.argv.slice(2)
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'starts', version: '1' } } }

async function start(way) {
  const [cwd, command] = way.split(': ')
  const [program, ...words] = command.trim().split(' ')
  const begun = performance.now()
  const server = spawn(program, words, { cwd: cwd.trim(), stdio: ['pipe', 'pipe', 'ignore'] })
  server.stdin.write(JSON.stringify(initialize) + '\n')
  const [answer] = await once(server.stdout, 'data')
  const took = performance.now() - begun
  if (!String(answer).includes('"result"')) throw new Error(`${way} answers: ${answer}`)
  server.stdin.end()
  server.stdout.resume()
  await once(server, 'close')
  return took
}

const times = ways.map(() => [])
for (let turn = 0; turn <= Number(count); turn++) {
  for (const [at, way] of ways.entries()) {
    const took = await start(way)
    if (turn > 0) times[at].push(took)
  }
}
const medians = times.map(all => all.sort((one, other) => one - other)[Math.floor(all.length / 2)])
for (const [at, median] of medians.entries()) {
  console.log(`${median.toFixed(0)} ms, ${(median / medians[0]).toFixed(2)} times the first: ${ways[at]}`)
}
