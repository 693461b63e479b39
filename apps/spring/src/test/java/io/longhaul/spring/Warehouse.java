// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.TaskContext;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpParam;
import io.longhaul.server.annotation.McpTool;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Service;

/** The examples of docs/SPRING.md, and what they stand on. */
interface Warehouse {
    String rows(String quarter);
}

@Service
class Reports {

    private final Warehouse warehouse;

    Reports(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    @McpTool(description = "Builds the report of a quarter")
    @McpLongRunning(onCrash = CrashPolicy.RESTART, timeout = "2h", keepFor = "24h")
    String report(@McpParam(description = "Such as 2026-Q3") String quarter, TaskContext task) throws Exception {
        String rows = task.step("load", String.class, () -> warehouse.rows(quarter));
        task.progress(1, 2, "loaded");
        return "The report of " + rows;
    }
}

@Configuration(proxyBeanMethods = false)
class Limits {

    @Bean
    McpServerCustomizer longRetention() {
        return server -> server.limits(TaskLimits.builder().livePerOwner(1_000).build());
    }
}
