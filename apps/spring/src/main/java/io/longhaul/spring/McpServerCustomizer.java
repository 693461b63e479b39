// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.server.McpServerBuilder;

/**
 * Adds to the MCP server of an application before the server starts: a bean of this type can make settings that have no
 * property, such as limits and rates. Several customizers run in their order ({@code @Order}).
 */
@FunctionalInterface
public interface McpServerCustomizer {

    /** Changes {@code server}, which has the tools, resources and prompts of the application already. */
    void customize(McpServerBuilder server);
}
