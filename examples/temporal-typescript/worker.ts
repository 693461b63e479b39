// SPDX-License-Identifier: Apache-2.0
import { NativeConnection, Worker } from '@temporalio/worker'
import * as activities from './activities'
import { EncryptingCodec } from './codec'

/** Works for the Temporal server at HOST:PORT, or on this machine. */
async function main(address = '127.0.0.1:7233'): Promise<void> {
  const connection = await NativeConnection.connect({ address })
  const worker = await Worker.create({
    connection,
    activities,
    dataConverter: { payloadCodecs: EncryptingCodec.ofEnvironment() },
    taskQueue: 'reports',
    workflowsPath: require.resolve('./workflows')
  })
  console.log(`a worker for the queue reports of Temporal at ${address}`)
  await worker.run()
}

main(process.argv[2]).catch(problem => {
  console.error(problem)
  process.exit(1)
})
