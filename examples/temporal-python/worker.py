# SPDX-License-Identifier: Apache-2.0
"""The worker of examples/yaml/temporal-report.yaml: python3 worker.py [HOST:PORT]"""
import asyncio
import sys
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.worker import Worker

with workflow.unsafe.imports_passed_through():
    from longhaul_workflow import Longhaul


@activity.defn
async def count(quarter: str) -> int:
    """The number of orders in a quarter."""
    return len(quarter)


@activity.defn
async def publish(rows: int, is_wanted: bool) -> bool:
    """Publishes the report on a number of orders, where that is wanted."""
    return is_wanted


@workflow.defn(name="Report")
class Report:
    @workflow.run
    async def run(self, quarter: str, channel: str) -> dict:
        task = Longhaul()
        timeout = timedelta(seconds=5)
        task.progress(0, 2, "counting")
        rows = await workflow.execute_activity(count, quarter, start_to_close_timeout=timeout)
        task.log(f"{rows} orders in {quarter}")
        task.progress(1, 2, "waiting for a word")
        is_wanted = await task.approve(f"Publish {rows} orders on {channel}?", "publish")
        published = await workflow.execute_activity(publish, args=[rows, is_wanted], start_to_close_timeout=timeout)
        task.progress(2, 2, "done")
        return {"quarter": quarter, "rows": rows, "published": published}


async def main(address="127.0.0.1:7233"):
    client = await Client.connect(address)
    print(f"a worker for the queue reports of Temporal at {address}", flush=True)
    await Worker(client, task_queue="reports", workflows=[Report], activities=[count, publish]).run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
