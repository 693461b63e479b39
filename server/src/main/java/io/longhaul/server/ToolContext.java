// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import tools.jackson.databind.JsonNode;

/** A call of a tool as its handler sees it, which is a {@link TaskContext} for a long-running tool. Thread-safe. */
public interface ToolContext extends RequestContext {

    /** The arguments as they came. */
    JsonNode arguments();
}
