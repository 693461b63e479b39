// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The names in {@code longhaul.long-running}, and the tools of Spring AI and the SDK there are. Thread-safe. */
final class LongRunningNames {

    private final List<String> named;
    private final Set<String> served = new ConcurrentSkipListSet<>();

    LongRunningNames(List<String> named) {
        this.named = named;
    }

    /** Whether a tool that is served runs as durable tasks. */
    boolean contains(String tool) {
        served.add(tool);
        return named.contains(tool);
    }

    /**
     * Checks the names when all tools are known: a tool whose name is misspelled would silently not be durable.
     *
     * @throws IllegalStateException where a name is that of no tool
     */
    void check() {
        var unknown = named.stream().filter(name -> !served.contains(name)).toList();
        if (!unknown.isEmpty()) {
            throw new IllegalStateException("longhaul.long-running names '" + String.join("', '", unknown)
                    + "', and the tools of Spring AI and the MCP SDK that can be named there are: "
                    + (served.isEmpty() ? "none" : String.join(", ", served)));
        }
    }
}
