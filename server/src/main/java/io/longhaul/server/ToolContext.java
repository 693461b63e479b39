// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import tools.jackson.databind.JsonNode;

/** The context of a call of a tool; for a long-running tool, a {@link TaskContext}. Thread-safe. */
public interface ToolContext extends RequestContext {

    /** The arguments as the caller sent them. */
    JsonNode arguments();
}
