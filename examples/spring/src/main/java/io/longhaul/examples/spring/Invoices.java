// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.spring;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.TaskContext;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpParam;
import io.longhaul.server.annotation.McpTool;
import org.springframework.stereotype.Service;

/** A service of the application. One of its methods is a tool. */
@Service
class Invoices {

    private final Outbox outbox;

    Invoices(Outbox outbox) {
        this.outbox = outbox;
    }

    @McpTool(name = "send_invoices", description = "Sends the invoices of a month, each exactly once.")
    @McpLongRunning(onCrash = CrashPolicy.RESTART, timeout = "2h", keepFor = "24h")
    String send(
            @McpParam(description = "Such as 2026-10", pattern = "^[0-9]{4}-[0-9]{2}$") String month,
            @McpParam(minimum = 1, maximum = 10_000) int count,
            TaskContext task)
            throws Exception {
        for (int number = 1; number <= count; number++) {
            String invoice = month + "/" + number;
            // The result of a step is recorded: after a crash, the next attempt goes on after the last recorded step.
            task.step(invoice, String.class, () -> outbox.send(invoice));
            task.progress(number, count, invoice + " is sent");
        }
        return count + " invoices of " + month + " are sent, in attempt " + task.attempt();
    }
}
