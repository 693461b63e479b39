// SPDX-License-Identifier: Apache-2.0
import { proxyActivities } from '@temporalio/workflow'
import type * as activities from './activities'
import { Longhaul } from './longhaul'

const { count, publish } = proxyActivities<typeof activities>({ startToCloseTimeout: '5s' })

/** The workflow of examples/yaml/temporal-report.yaml. */
export async function Report(quarter: string, channel: string): Promise<object> {
  const task = new Longhaul()
  task.progress(0, 2, 'counting')
  const rows = await count(quarter)
  task.log(`${rows} orders in ${quarter}`)
  task.progress(1, 2, 'waiting for a word')
  const published = await publish(rows, await task.approve(`Publish ${rows} orders on ${channel}?`, 'publish'))
  task.progress(2, 2, 'done')
  return { quarter, rows, published }
}
